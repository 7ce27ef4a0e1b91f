# What everything costs, in steps: the one table. The meter pays from it, and the static estimate (costs.py) reads it.
#
# A step is the work of one visit, some 10 to 30 ns. Work that grows with a size is paid by its size before it is done; a
# shift stands for "one step for each 2**shift of them, rounded down".

cpdef enum StepCost:
    VISIT = 1             # one value by one node; also a value that no keyword looks at, walked as JSON
    MATCH = 1             # one text by a pattern or a format, besides its length
    WEIGHT_SHIFT = 6      # characters of that text, times the weight of the pattern or format
    MEMBERS_SHIFT = 4     # members of an object that is looked through
    CAREFUL_MEMBER = 1    # one member of an object with patterns, or whose evaluated members must be known
    DEPENDENCY_SHIFT = 1  # dependencies of a subschema; unevaluated members or items
    BRANCHES_SHIFT = 3    # branches of an anyOf or oneOf
    SET = 1               # a set of evaluated members, besides its size
    SET_SHIFT = 9         # members that a set has room for
    WORDS_SHIFT = 3       # words of 64 members when sets are merged or names compared
    PAIR = 1              # two values compared
    HASHING = 1           # one value hashed
    UNIQUE_ITEM = 1       # one item of an array that must not repeat, besides hashing it
    LONG_TEXT_SHIFT = 12  # characters of a text that is compared or hashed
    BITS_SHIFT = 12       # bits of a big integer in comparisons and divisions
    DECIMAL = 4           # one division of decimal numbers
    DIVISION_SHIFT = 14   # bits of the quotient times bits of the divisor
