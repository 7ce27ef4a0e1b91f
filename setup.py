"""Build the native parts. Everything else about the package stands in pyproject.toml.

Comes in: every `src/schemafuse/_core/*.pyx`, and the plain modules named in COMPILED_PY. Goes out: extension modules.
Two switches in the environment, each for a build of its own:
    SCHEMAFUSE_WERROR=1      the C compiler's warnings are errors
    SCHEMAFUSE_SANITIZE=1    address and undefined-behaviour sanitizers
"""

import os
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCE = "src"
CORE = f"{SOURCE}/schemafuse/_core"

#: Ordinary Python modules that are compiled as they stand: the walk over a schema, and the way from a failure to its
#: words. They run uncompiled just as well, in more time. Where a `.pxd` stands beside one, its classes have fields in C
#: and its functions are called as such.
COMPILED_PY = [
    f"schemafuse/{name}.py"
    for name in (
        *("admission", "advice", "branches", "candidates", "condition_words", "describe", "errors", "explain"),
        *("json_copy", "json_text", "kind_advice", "knowledge", "levels", "mentions", "name_advice", "nearness"),
        *("patch", "phrases", "places", "render", "scene", "secret_names", "secrets", "union_words", "validator"),
        *("weights", "words"),
    )
]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
    "freethreading_compatible": False,
}

# Python's own meaning, negative indices and annotations that only mypy reads included.
PYTHON_DIRECTIVES = {"language_level": 3, "annotation_typing": False, "freethreading_compatible": False}

# What Cython generates for any module, whatever its source says: these warnings tell nothing about our code.
GENERATED_CODE_WARNINGS = [
    "-Wno-unused-parameter",
    "-Wno-unused-function",
    "-Wno-missing-field-initializers",
    "-Wno-cast-function-type",
    "-Wno-deprecated-declarations",
]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]


def switched_on(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


def compile_flags() -> tuple[list[str], list[str]]:
    """Return the flags for the compiler and for the linker."""
    if os.name == "nt":
        return ["/O2"], []
    flags, link_flags = ["-O3", "-fno-math-errno"], []
    if switched_on("SCHEMAFUSE_WERROR"):
        flags += ["-Wall", "-Wextra", "-Werror", *GENERATED_CODE_WARNINGS]
    if switched_on("SCHEMAFUSE_SANITIZE"):
        flags += ["-O1", "-g", *SANITIZERS]
        link_flags += SANITIZERS
    return flags, link_flags


def extensions(sources: list[str]) -> list[Extension]:
    flags, link_flags = compile_flags()
    headers = glob(f"{CORE}/*.h")
    return [
        Extension(
            os.path.splitext(os.path.relpath(path, SOURCE))[0].replace(os.sep, "."),
            [path],
            include_dirs=[CORE],
            depends=headers,
            extra_compile_args=flags,
            extra_link_args=link_flags,
        )
        for path in sources
    ]


options: dict[str, dict[str, object]] = {"build_ext": {"parallel": os.cpu_count() or 1}}
if switched_on("SCHEMAFUSE_WERROR") or switched_on("SCHEMAFUSE_SANITIZE"):
    options["build_ext"]["force"] = True  # objects built with other flags must not count as up to date


def translated(sources: list[str], directives: dict[str, object]) -> list[Extension]:
    # The C sources stay out of the tree.
    return cythonize(
        extensions(sources), build_dir="build/cython", include_path=[SOURCE], compiler_directives=directives, quiet=True
    )


setup(
    ext_modules=[
        *translated(sorted(glob(f"{CORE}/*.pyx")), DIRECTIVES),
        *translated([f"{SOURCE}/{path}" for path in COMPILED_PY], PYTHON_DIRECTIVES),
    ],
    options=options,
)
