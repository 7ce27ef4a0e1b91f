"""Say in one line what a build would miss: a new enough Python, its headers, venv, a C compiler. Exit 1 if anything.

Runs before anything is installed, on whatever `python` is; so only what every Python since 2.7 understands.
"""

import os
import subprocess
import sys
import sysconfig


def missing():
    if sys.version_info < (3, 10):
        return "schemafuse needs Python 3.10 or newer, and %s is %d.%d: choose another with PYTHON=python3.12" % (
            sys.executable or "this one",
            sys.version_info[0],
            sys.version_info[1],
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return "%s has no venv module: install it (Debian, Ubuntu: apt-get install python3-venv)" % sys.executable
    headers = sysconfig.get_path("include")
    if not os.path.exists(os.path.join(headers, "Python.h")):
        hint = "install them (Debian, Ubuntu: apt-get install python3-dev)"
        return "the headers of %s are missing: %s" % (sys.executable, hint)
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    hint = "install one (Debian, Ubuntu: apt-get install gcc libc6-dev), or name one with CC="
    try:
        command = compiler + ["-fsyntax-only", "-I", headers, "-x", "c", "-"]
        trial = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError:
        return "there is no C compiler named %s: %s" % (compiler[0], hint)
    trial.communicate(b"#include <Python.h>\nint main(void) { return 0; }\n")
    if trial.returncode:
        return "the C compiler %s cannot compile a file that includes Python.h: %s" % (compiler[0], hint)
    return None


def main():
    complaint = missing()
    if complaint:
        sys.stderr.write("cannot build: %s\n" % complaint)
        return 1
    return 0


sys.exit(main())
