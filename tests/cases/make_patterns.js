// Writes patterns.jsonl: patterns and texts, with the answers of a real JavaScript engine and of Python's `re`.
//
//     node tests/cases/make_patterns.js > tests/cases/patterns.jsonl
//
// Needs Node 20 and a python3 (3.11 to 3.13) on the path; the tests need neither, they read the file. The order is ours:
// flag u; else Python, when the source bears one of its marks; else no flag (Annex B); else null: a bad pattern.
// Left out: what Node 20 does not know yet (modifier groups, duplicate group names), in Python scoped flags for
// case, which we refuse, and `\B` on an empty text, whose meaning changed in Python 3.14.
"use strict";
const { execFileSync } = require("child_process");

// [pattern, texts of its own ...]; texts of the pool below are added to each.
const R = String.raw;
const cases = [
  // Anchors: `$` is the end, never before a final newline; nothing is multi-line.
  ["^abc$", "abc", "abc\n", "\nabc", "xabc", "abc\r\n"], ["abc$", "xabc", "abc\n", "abc\nabc"], ["^abc", "abcx", "\nabc"], ["^$", "", "\n"], ["^", ""], ["$", "", "\n"],
  ["$^", "", "a"], ["a$b", "a\nb"], ["a^b", "a\nb"], ["(?:^|,)b$", "b", "a,b", "a,b\n", "ab"], ["^(?:a|b)$", "a", "b", "ab", "a\n"], ["^a|b$", "ax", "xb", "xa", "xb\n"],
  ["^[a-z]+$", "abc", "abc\n", "", "aBc", "é"], [R`^\d+$`, "123", "١٢٣", "123\n", "12a"], [R`^\s+$`, " ", "\u00a0", "\ufeff", "\u180e", "\u2028", "\u0085", "\x1c", "a"], [R`^\S+$`, "abc", "\ufeff", "a b", "é"],
  [R`^\w+$`, "az_09", "é", "ſ", "K", "a-b"], [R`^\W+$`, "é", "-", "a", "ſ"], [R`^\D+$`, "١", "a", "1"],
  // Word boundaries are ASCII.
  [R`\b`, "a", "é", "", " "], [R`\bé`, "é", "aé", "a é"], [R`^\bé\b$`, "é"], [R`\Ba\B`, "bab", "a", "éaé"], [R`\bfoo\b`, "a foo b", "foos", "éfooé", "_foo"], [R`\B`, "", "a", "ab"], [R`a\b`, "aé", "ab", "a"],
  // The dot and line ends.
  ["^.$", "a", "\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\u{1F600}", "\ud83d", ""], ["a.b", "a\nb", "a\u2028b", "a b"], ["^.*$", "", "a", "a\nb", "a\n"], [R`^[\s\S]*$`, "a\nb", ""], ["^[^]*$", "a\nb", ""], [".+", "\n", "a", "\n\n"], ["^.+$", "abc", "a\rb", "\u{1F600}"],
  // Empty classes.
  ["[]", "", "a"], ["[^]", "", "a", "\n"], ["a[]", "a"], ["a[^]b", "a\nb", "ab", "a\u{1F600}b"], ["[]|a", "a", "b"], ["^[^]{2}$", "ab", "\u{1F600}", "\ud83d\n"],
  // Control and character escapes.
  [R`^\cJ$`, "\n", "J"], [R`\cA`, "\x01", "A"], [R`\cz`, "\x1a"], [R`[\cA-\cZ]`, "\n", "a"], [R`\t\n\v\f\r`, "\t\n\v\f\r"], [R`^\0$`, "\0", "0"], [R`[\0]`, "\0"], [R`[\b]`, "\b", "b"], [R`\x41`, "A", "x41"], [R`\u0041`, "A"],
  [R`^\u{1F600}$`, "\u{1F600}", "\ud83d"], [R`\u{41}`, "A", "u".repeat(41)], [R`\u{000041}`, "A"], [R`^\uD83D\uDE00$`, "\u{1F600}", "\ud83d"], [R`^[\uD83D\uDE00]$`, "\u{1F600}", "\ud83d", "\ude00"], [R`^\uD83D$`, "\ud83d", "\u{1F600}"], [R`\uD83D`, "\ud83d", "\u{1F600}", "a\ud83db"], [R`\uDE00`, "\u{1F600}", "\ude00"],
  [R`^[\u{1F600}-\u{1F64F}]+$`, "\u{1F600}\u{1F601}", "a"], [R`^\u{D83D}\u{DE00}$`, "\u{1F600}"], ["^\u{1F600}+$", "\u{1F600}\u{1F600}", "\u{1F600}\ude00"], ["^[\u{1F600}]$", "\u{1F600}", "\ud83d"], ["^.{2}$", "\u{1F600}", "ab", "\u{1F600}a", "\ud83da"], ["[^a]", "\ud83d", "\u{1F600}", "a"], ["^[^x]$", "\u{1F600}", "\ud83d", "x"],
  [R`\u{110000}`], [R`\u{}`], [R`\u{1F600`], [R`\u004`, "u004", "@"], [R`\x4`, "x4"], [R`\u`, "u"], [R`\x`, "x"], [R`\c`, R`\c`, "c"], [R`\c1`, R`\c1`], [R`[\c]`, "\\", "c"], [R`[\c1]`, "\x11", "1"], [R`[\c_]`, "\x1f", "_"],
  [R`\/\.\*\+\?\^\$\(\)\[\]\{\}\|\\`, R`/.*+?^$()[]{}|\ `.trim()], [R`^\-$`, "-"], [R`[\-]`, "-"], [R`\e`, "e"], [R`\a`, "a", "\x07"], [R`\_`, "_"], [R`\ `, " "], [R`\"`, '"'], [R`\é`, "é"], ["\\\u{1F600}", "\u{1F600}"], [R`\'`, "'"], [R`\<a\>`, "<a>", "a"], [R`\@`, "@"], [R`\:`, ":"], [R`\z`, "z", ""], [R`\G`, "G"], [R`\K`, "K"], [R`\R`, "R", "\n"], [R`\X`, "X"], [R`\h`, "h", " "], [R`\H`, "H"], [R`\N`, "N"], [R`\Q.\E`, "QxE", "."], [R`\y`, "y"], [R`\m`, "m"],
  // Octal, null and back references.
  [R`\1`, "1", "\x01"], [R`\8`, "8"], [R`\01`, "\x01"], [R`\012`, "\n"], [R`\377`, "ÿ"], [R`\400`, "\x200", " 0"], [R`[\1]`, "\x01"], [R`[\8]`, "8"], [R`\08`, "\x008"], [R`(a)\2`, "a\x02"],
  [R`(a)\1`, "aa", "a", "ab"], [R`^(a*)\1$`, "aa", "aaa", ""], [R`\1(a)`, "a", "aa", ""], [R`(a)|\1b`, "b", "a", ""], [R`^(?:(a)|b)*\1$`, "ab", "aa", "aba", "abaa", "b"], [R`^(?:(a)|(b))+\1\2$`, "ab", "aba", "abb", "bb"], [R`(?<n>a)\k<n>`, "aa", "a"], [R`\k<n>(?<n>a)`, "a"], [R`(?<n>a)\k<m>`, "a"], [R`\k<n>`, "k<n>"], [R`\k`, "k"], [R`\k<`, "k<"], [R`(?<n>.)(?<m>.)\k<m>\k<n>`, "abba", "abab"], [R`(?<$_a1>x)\k<$_a1>`, "xx"], [R`(?<é>x)`, "x"], [R`(?<\u0061>x)\k<a>`, "xx"], [R`(?<1a>x)`], [R`(?<n>a)(?<n>b)`], [R`(?<>x)`], [R`(?<n`], [R`(?<n>a`], [R`(?<a-b>x)`], [R`^(?=(a+))\1$`, "aaa", ""], [R`(z)((a+)?(b+)?(c))*`, "zaacbbbcac"], [R`(?=(a+))a*b\1`, "baaabac"], [R`(.*?)a(?!(a+)b\2c)\2(.*)`, "baaabaac"], [R`^(..)\1$`, "abab", "\u{1F600}\u{1F600}\u{1F600}\u{1F600}", "\u{1F600}\u{1F600}"],
  // Property escapes.
  [R`^\p{L}+$`, "é", "a1", "中", "١"], [R`^\p{Letter}+$`, "é", "1"], [R`^\p{Lu}$`, "É", "é"], [R`\p{Script=Greek}`, "α", "a"], [R`\p{sc=Cyrillic}`, "ж", "α"], [R`\p{Script_Extensions=Deva}`, "\u0964", "a"], [R`\p{scx=Latin}`, "a", "1"], [R`\P{L}`, "a", "1"], [R`[\p{L}\p{N}_]+`, "é", "-"], [R`[^\p{L}]`, "é", "1"], [R`\p{Emoji}`, "\u{1F600}", "1", "a"], [R`\p{Emoji_Presentation}`, "\u{1F600}", "1"], [R`\p{ASCII}`, "a", "é"], [R`^\p{Any}$`, "\u{1F600}", "\n"], [R`\p{Nd}`, "١", "²"], [R`\p{White_Space}`, "\u0085", "\ufeff"], [R`\p{Uppercase}`, "Ⓐ", "a"], [R`\p{gc=Sc}`, "€", "a"], [R`\p{Cs}`, "\ud83d", "\u{1F600}"], [R`\p{Cn}`, "\u0378", "a"], [R`\p{ID_Start}`, "é", "1"], [R`\p{Alphabetic}`, "ⓐ", "1"],
  [R`\p{Foo}`, "p{Foo}"], [R`\p{L`, "p{L"], [R`\pL`, "pL", "a"], [R`\p`, "p"], [R`\P`, "P"], [R`\p{}`, "p{}"], [R`\p{Greek}`, "p{Greek}", "α"], [R`\p{script=Greek}`, "p{script=Greek}"], [R`\p{IsLatin}`, "p{IsLatin}"], [R`\p{^L}`, "p{^L}"], [R`\p{ L }`], [R`\p{lu}`, "p{lu}"],
  // Classes.
  [R`[\w-.]`, "-", ".", "a", "+"], [R`[a-\d]`, "-", "a", "5", "b"], [R`[\d-x]`, "-", "x", "5"], [R`[\s-\d]`, "-", " "], ["[a-]", "-", "b"], ["[-a]", "-"], ["[a-z-9]", "-", "9"], ["[^-a]", "-", "b"], ["[z-a]"], [R`[\u{1F600}-a]`, "a"], ["[[:alpha:]]", "a]", "[]", "b]", "z"], ["[a&&b]", "&", "a"], ["[a--b]", "-", "a"], ["[[a]]", "[]", "a]", "a"], ["[a||b]", "|"], ["[a~~b]", "~"], [R`[\]]`, "]"], ["[]]", "]"], ["[^]]", "]a", "x]"], ["[[]", "["], [R`[\\]`, "\\"], ["[.]", ".", "a"], ["[$^]", "$", "^"], ["[(]", "("], ["[a", "a"], ["]", "]"], ["a]", "a]"], [R`[\w\W]`, "\n", ""], [R`[^\w\W]`, "a"], [R`[^\d\s]`, "a", "1"], [R`[\B]`, "B"], [R`[\e]`, "e"], [R`[\-a]`, "-"], ["[A-z]", "_", "^", "1"], ["[\u00e0-\u00ff]", "é", "e"], [R`[\x00-\x1f]`, "\n", " "], ["[\n]", "\n", "n"], [R`[^\n]`, "\n", "a"], ["[a-a]", "a", "b"],
  // Quantifiers.
  ["a{2}", "aa", "a"], ["^a{2,3}$", "a", "aa", "aaa", "aaaa"], ["^a{2,}$", "a", "aaaaa"], ["a{,3}", "a{,3}", "aaa", ""], ["a{", "a{", "a"], ["{", "{"], ["}", "}"], ["a{}", "a{}"], ["a{1", "a{1"], ["a{1,", "a{1,"], ["a{1,2", "a{1,2"], ["x{a}", "x{a}"], ["a{ 1}", "a{ 1}"], ["a{2,1}"], ["{1}"], ["a{0}", "", "a"], ["^a{0}$", "", "a"], ["^a{0,0}b$", "b", "ab"], ["a**"], ["a++"], ["a??", ""], ["a???"], ["^a+?$", "aaa"], ["^a*?b$", "aab"], ["a{2}+"], ["a{2}?", "aa", "a"], ["*a"], ["+"], ["?"], ["^*", "*", ""], ["$+"], ["(?:)*", ""], ["()*a", "a"], ["^(?:a?)*$", "aaa", "b"], ["^(?:a*)*b$", "aab", "aac"], ["^(?:a|ab)(?:c|bcd)$", "abcd", "ac", "abc"], ["(a?)*?b", "b"], ["(?:a{2}){3}", "aaaaaa", "aaaaa"], ["^(?:a{1,2}){2}$", "aaa", "a", "aaaaa"], ["a{99999999999999999999}", "a"], ["^a{0,99999999999999999999}$", "aaa", "b"], ["(?:a|b|)+c", "abc", "c"], ["(?:a*){2,}b", "b"], [R`\d{3}-?\d{4}`, "555-1234", "5551234", "555--1234"],
  // Groups, alternation, look-around.
  ["(", "("], [")", ")"], ["()", ""], ["(?:)", ""], ["|", ""], ["a|", "b"], ["(a|b)(c|d)", "ad", "ab"], ["(?", "?"], ["(?a)"], ["(?:a", "a"], ["(?#x)a"], ["(?>a)"], ["(?|a|b)"], ["(?R)"], ["(?1)(a)"], ["(?&n)"], ["(*FAIL)"], ["(?(1)a|b)"], ["(?C)"], ["(?'n'a)"], ["(?-i)a"], ["(?i)"],
  ["a(?=b)", "ab", "ac"], ["a(?!b)", "ab", "ac"], ["(?<=a)b", "ab", "cb"], ["(?<!a)b", "ab", "cb", "b"], ["(?=a)*", "*", ""], ["(?=a)*b", "b"], ["(?!a){2}b", "b", "ab"], ["(?<=a)*"], ["(?<!a)?"], ["^(?!.*admin).+$", "user", "an admin", "\n"], [R`^(?!\s*$).+`, "  ", " a", ""], [R`(?<=\d{3})x`, "123x", "12x"], ["(?<=a.*)b", "a..b", "..b"], [R`(?<=\$)\d+(?!\.)`, "$12", "12", "$1.5"], [R`(?<=(\d+)(\d+))$`, "1053"], [R`(?<=\1(a))b`, "aab", "ab"], [R`(?<=^|,)x`, "x", ",x", "ax"], [R`(?=.*\d)(?=.*[a-z]).{4,}`, "a1bc", "abcd"], ["(?<=\u{1F600})a", "\u{1F600}a", "\ude00a"], ["(?<!\ud83d)\ude00", "\u{1F600}", "\ude00"], ["(?=(?=(?=a)))a", "a"], ["(?!(?!a))a", "a", "b"], ["x(?=a|)", "x"],
  // As servers ship them.
  [R`^\d{4}-\d{2}-\d{2}$`, "2024-01-31", "2024-1-31", "2024-01-31\n", "٢٠٢٤-01-31"], ["^#[0-9a-fA-F]{6}$", "#00ffAA", "#00ffA", "00ffAA"], [R`^[^@\s]+@[^@\s]+\.[^@\s]+$`, "a@b.c", "a@b", "a b@c.d", "é@é.é", "a@b.c\n"], ["^[a-zA-Z0-9_-]{1,64}$", "a_b-c", "", "a b", "a".repeat(64), "a".repeat(65)], [R`^https?://[^\s/$.?#].[^\s]*$`, "http://a.b", "https://x", "ftp://a"], [R`^([01]\d|2[0-3]):[0-5]\d$`, "23:59", "24:00"], [R`^\+?[1-9]\d{1,14}$`, "+123", "0123"], [R`^(\/[a-z0-9-]+)+$`, "/a/b-c", "/", "a"], [R`^[A-Z]{2}(?:-[A-Z0-9]{1,3})?$`, "DE", "DE-BY", "de"], [R`^\s*$`, "", " \n\t", "a", "\ufeff"], [R`^v?\d+\.\d+\.\d+(?:-[\w.]+)?$`, "v1.2.3", "1.2.3-rc.1", "1.2"], ["^x-", "x-a", "ax-"], [R`^(?:\w+\.)*\w+$`, "a.b.c", "a..b"], [R`^\/(?!\/)[^\\]*$`, "/a", "//a", "/a\\b"], ["(^|_)id$", "id", "user_id", "userid"], [R`^.{3,}$`, "ab", "abc", "\u{1F600}\u{1F600}\u{1F600}", "a\nbc"], [R`^[\p{L}\p{M}' \-]+$`, "Zoë O'Brien", "R2D2"], [R`^\S(.*\S)?$`, "a", " a", "a b", "a "], [R`^(?:0|[1-9]\d*)$`, "0", "01", "10"], [R`^(a+)+$`, "aaaa", "aaab"], [R`^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`, "YQ==", "YWI=", "YWJj", "YW"],
  // Raw odd characters.
  ["a\0b", "a\0b", "ab"], ["\n", "\n"], ["\u2028", "\u2028"], ["\ud83d", "\ud83d", "\u{1F600}", "\ufffd"], ["^\ude00$", "\ude00", "\ufffd"], ["[\ud83d]", "\ud83d", "\u{1F600}"], ["\\\ud83d", "\ud83d"], ["\ufeff", "\ufeff", ""], ["é", "é", "e\u0301"], ["\u202e", "\u202e"], ["\\"], ["a\\"], ["/", "/"], ["#a b", "#a b"], ["&&", "&&"], ["-", "-"],
  // Python's own syntax.
  ["(?P<n>a+)b(?P=n)", "aba", "aab", "aabaa", "ab"], [R`(?P<year>\d{4})-(?P<m>\d\d)`, "2024-01", "٢٠٢٤-٠١", "x"], ["(?i)abc", "ABC", "xaBcx", "ab"], ["(?i)straße", "STRASSE", "STRAßE", "straẞe"], ["(?i)[a-z]", "\u212a", "ſ", "İ", "ı", "1"], ["(?i)k", "K", "\u212a"], ["(?i)i", "I", "İ", "ı"], ["(?i)é", "É", "e"], ["(?s)a.b", "a\nb", "ab"], ["(?m)^b$", "a\nb\nc", "ab", "b\r"], ["(?im)^B$", "a\nb"], [R`(?x) a b # c${"\n"} \ d`, "ab d", "abd"], ["(?x)a {2} b", "aab"], ["(?a)\\w", "é", "a"], [R`(?a)\d`, "١", "1"], [R`(?a)\s`, "\u00a0", " "], [R`(?ai)é`, "É", "é"], [R`(?a)\bé`, "é"], [R`(?u)\w`, "é", "-"],
  [R`\Aabc\Z`, "abc", "abc\n", "xabc"], [R`\A\w+\Z`, "é", "e\u0301", "ⓐ", "²", "a b", "\u203f"], [R`\A\W+\Z`, "\u0301", "-", "_", "\u203f"], [R`\A\d+\Z`, "١٢", "²", "1"], [R`\A\s+\Z`, "\x1c", "\u0085", "\u00a0", "\ufeff", "\u180e", "\u200b"], [R`\A\S+\Z`, "\ufeff", "\x1c", "a"], [R`a$\Z`, "a", "a\n"], [R`\Aa$`, "a", "a\n", "a\n\n"], [R`\A.\Z`, "\r", "\n", "\u2028", "\u{1F600}"], [R`\b\w+\b\Z`, "é", "aé", "-"], [R`\A[\w-]+\Z`, "é-", "+"], [R`\A[\W_]\Z`, "_", "a", "-", "\u0301"], [R`\A[^\W_]+\Z`, "é", "_", "e\u0301"], [R`\A[\D]\Z`, "١", "a"], [R`\A[\S\n]\Z`, "\n", " ", "a"],
  [R`\A[[:alpha:]]\Z`, "a]", ":]", "a"], [R`\A[a&&b]\Z`, "&", "a"], [R`\A[a||b]\Z`, "|"], [R`\A[a--b]\Z`, "-"], [R`a{e}\Z`, "a{e}", "b"], [R`(?:abc){e<=2}\Z`, "abc{e<=2}", "ab"], [R`a{,3}\Z`, "", "aaa", "a{,3}"], [R`\Aa{2,}\Z`, "aa", "a"], [R`{\Z`, "{"], [R`a{1,2}{3}\Z`], [R`\Aa{2,1}\Z`], [R`\A(a)|b\1\Z`, "b", "a"], [R`\A(?:(a)|b)*\1\Z`, "aba", "ab", "b"], [R`(a)\1\Z`, "aa", "a"], [R`\1(a)\Z`], [R`(\1)\Z`], [R`(?<=ab)c\Z`, "abc", "bc"], [R`(?<=a+)c\Z`], [R`(?<!a|b)c\Z`, "ac", "xc", "c"], [R`(?s:.)\Z`, "\n"], ["(?i)(?P<x>A)(?P=x)", "aA", "b"], [R`\A\x41\u0042\U00000043\Z`, "ABC"], [R`\A\101\Z`, "A"], [R`\A\07\Z`, "\x07"], [R`\A\a\f\v\Z`, "\x07\f\v"], [R`\A[\b]\Z`, "\b"], [R`\A\/\-\ \"\Z`, '/- "'], [R`\Aa(?#comment)b\Z`, "ab"], ["(?i)a|b", "B"], [R`\A\Z`, "", "\n"], [R`a*?\Z`, "aaa"], [R`\A(?:a|ab)(?:c|bcd)\Z`, "abcd", "abc"], [R`(?P<a>x)(?P<b>y)(?P=b)(?P=a)`, "xyyx"], [R`\A\u{41}\Z`], [R`\A\p{L}\Z`], [R`\A\h\Z`], [R`\A\R\Z`], [R`\A\X\Z`], [R`\A\K\Z`], [R`\G\A`], [R`\A(?R)\Z`], [R`\A(?1)(a)\Z`], [R`\A(?|a|b)\Z`], [R`\A(*FAIL)\Z`], [R`(?P>n)\A`], [R`(?P<n>a)(?P<n>b)`], [R`(?P<1>a)`], [R`(?P<n>a`], [R`(?P=n)`], ["(?i)("], ["(?i)*"], ["(?i)[z-a]"], ["(?i)["], ["a(?i)b"], ["(?i)a\\"], ["(?L)a"], ["(?au)a"], [R`\A(?<n>a)\Z`], [R`\A\cA\Z`], [R`\A\e\Z`], [R`\z\A`], [R`\A\x4\Z`], [R`\A[\A]`], ["(?i)[\u00e0-\u00ff]", "É", "e"], ["(?i)[^é]", "É", "x"], ["(?i)\u01c5", "\u01c4", "\u01c6"], ["(?i)ς", "Σ", "σ"], ["(?i)µ", "μ", "Μ"],
];
const pool = ["", "a", "b", "ab", "aa", "A", "1", "_", "-", " ", "\n", "a\n", "é", "\u{1F600}", "\ud83d", "abc", "K", "\u00a0", "aab", "١", "a1", "{", "\\", "a-b.c"];

function isMarked(source) {
  return /^\(\?[aimsux]+\)/.test(source) || /\(\?P[<=]|\\[AZ]/.test(source.replace(/\[\^?\]?(?:[^\]\\]|\\[^])*\]?/g, "").replace(/\\[^AZ]/g, ""));
}

function compile(source) {
  let reason;
  for (const [flags, engine] of [["u", "ecma-unicode"], ["", "ecma-annex-b"]]) {
    try {
      const expression = new RegExp(source, flags);
      return { engine, test: (text) => expression.test(text) };
    } catch (error) {
      reason = reason ?? error.message.slice(error.message.lastIndexOf(": ") + 2);
    }
    if (isMarked(source)) return { engine: "python" };
  }
  return { engine: null, reason };
}

const PYTHON = `
import json, re, sys, warnings
warnings.simplefilter("ignore")
for line in sys.stdin:
    source, texts = json.loads(line)
    try:
        compiled = re.compile(source)
        print(json.dumps([bool(compiled.search(text)) for text in texts]))
    except re.error as error:
        print(json.dumps(str(error)))
`;

// JSON.stringify leaves astral characters and controls such as U+202E raw; the file is to be plain ASCII.
const ascii = (value) => JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"));

const records = cases.map(([pattern, ...texts], index) => {
  for (let at = index; texts.length < 6; at += 7) if (!texts.includes(pool[at % pool.length])) texts.push(pool[at % pool.length]);
  return { pattern, texts, ...compile(pattern) };
});
const marked = records.filter((record) => record.engine === "python");
const answers = execFileSync("python3", ["-c", PYTHON], { input: marked.map((r) => ascii([r.pattern, r.texts])).join("\n") });
answers.toString().trim().split("\n").forEach((line, index) => {
  const answer = JSON.parse(line);
  if (typeof answer === "string") Object.assign(marked[index], { engine: null, reason: "Python: " + answer });
  else marked[index].answers = answer;
});
for (const { pattern, texts, engine, test, answers, reason } of records) {
  const line = engine === null ? { pattern, engine, reason } : { pattern, engine, texts: texts.map((text, at) => [text, answers ? answers[at] : test(text)]) };
  console.log(ascii(line));
}
