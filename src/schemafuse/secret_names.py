"""Which names say that a value is secret, and which texts tell one.

Names and texts go in, yes or no comes out. A name is read as words, however they are joined: `pinCode`, `pin_code` and
`PIN-Code` are one. Errs on the side of silence, but not for names that only describe a secret: `token_count`.
"""

from __future__ import annotations

import re
from typing import Any

from ._core.texts import beginning


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
#: Words that say it alone, wherever they stand.
_WORDS = _listed(
    "auth authorisation authorization cred creditcard csrf cvc cvv dsn hmac oauth otp pat pem pfx privkey psk pswd pw "
    "sas seedphrase ssn totp wachtwoord"
)
#: What says it inside of a word as well: `userpassword`, `JSESSIONID`.
_STEMS = re.compile(
    "password|passwd|passphrase|passcode|passkey|pwd|secret(?!ar)|token(?!i[sz])|credential|bearer|cookie|mnemonic|jwt"
    "|sess(?:ion)?id|passwort|kennwort|(?:admin|root|user|db)(?:pass|pw)$"
)
#: What says it however it is joined.
_WHOLE = re.compile("motdepasse|contrasena|^sess(?:ion)?id$")
#: The same in letters of which no words are made here.
_ABROAD = re.compile("contraseña|hasło|şifre|пароль|密码|密碼|口令|パスワード|비밀번호|암호|senha")
#: Words that say it when they come one after the other, by the second one.
_PAIRS = {
    "key": "access account admin aes anthropic api app application auth aws azure client cohere consumer decryption "
    "deepseek encryption gcp gemini github google gpg groq hf hmac huggingface license maps master mistral "
    "openai pgp priv private recovery root rsa secret security sendgrid service session shared signing slack ssh ssl "
    "storage stripe subscription symmetric tavily tls twilio webhook",
    "code": "access activation auth authentication authorization backup confirmation fa factor login mfa otp pass pin "
    "recovery reset security sms totp unlock verification",
    "phrase": "backup pass recovery seed",
    "word": "pass seed",
    "id": "session",
    "num": "card pin",
    "number": "card pin security",
    "card": "credit debit",
    "string": "conn connection",
    "str": "conn connection",
    "signature": "amz hmac hub request svix webhook x",
    "answer": "security",
    "security": "social",
    "hash": "pass pin",
}
_PAIRED = {(first, second) for second, firsts in _PAIRS.items() for first in firsts.split()}
#: Pairs by which a name is secret although it ends like a description.
_ALWAYS = {("session", "id"), ("sess", "id"), ("secret", "id")}
#: The same written together: `apikey`. Not those that end like a longer word of another meaning.
_JOINED = tuple([first + second for first, second in _PAIRED if second in ("key", "code") and len(first) > 2])
#: Words that say it at the end of a name only, unless one of the others is before them: `dbPass`, but not `pass_rate`.
_LAST = _listed("pass pin")
_NO_PASS = _listed(
    "all band boarding bus by can day did does each first fourth high last low max min multi must num one per render "
    "season second should single ski third two will"
)
#: A name with one of these at its end describes a secret and is none.
_DESCRIBING = _listed(
    "address alg algorithm available budget change cost count date enabled endpoint expiration expire expiry format id "
    "ind indicator kind length level lifetime limit method mode name policy price provider rate reference required "
    "result scheme size status strategy strength subject ticker timestamp ttl type uri url usage used user uuid"
)
#: A name with one of these at its beginning asks for yes or no.
_ASKING = _listed("allow enable has is require requires show")
#: A token with one of these before it says where to go on.
_OF_PAGES = _listed("continuation cursor next page pagination starting sync version")
#: How many tokens a model may use is no secret.
_COUNTED = _listed(
    "budget cache cached completion context input max min n num output prompt reasoning remaining thinking total used"
)
_LONGEST_NAME = 128
#: Whether names are secret, as far as that was asked: a dict is looked up in C, an `lru_cache` is called.
_FOUND: dict[str, bool] = {}
_MOST_FOUND = 4_096

#: A name before a value: `password=`, `"api key":`, `--db-pass:`.
_ASSIGNED = re.compile(r"(?<![\w.])([A-Za-z][\w.-]{0,63}(?: [A-Za-z][\w-]{0,31}){0,2})\\{0,3}[\"']?\s{0,3}[:=]")
#: An option before a value, `--password x`, and an element around one: `<password>x`.
_LED = re.compile(r"(?<![^\s\"'\[,])--([A-Za-z][\w-]{0,63})[\"',\s]{1,4}[^\s-]|<([A-Za-z][\w.:-]{0,63})>[^<]")
#: What is sent for authentication, `Bearer ...`, `Basic dXNlcjp4`.
_SENT = re.compile(
    r"(?i:bearer)\s+(?:(?=\S*[0-9._~+/=-])\S{4}|\w{12})|(?i:basic)\s+(?=[a-z+/]{0,40}[A-Z0-9])[A-Za-z0-9+/]{6,}"
)
#: The user part of a URI with a password, or as long as a token.
_USER = re.compile(r"://(?:[^/\s:@]*:[^/\s@]+|[^/\s@]{16,})@")
#: Texts that are a secret in themselves: tokens by how well-known services begin them, JSON Web Tokens, private keys,
#: and what a URL is signed with.
_TOKEN = re.compile(
    r"\b(?:gh[opsu]_|github_pat_|glpat-|sk-|xox[abprs]-)[A-Za-z0-9_-]{12}|\bAKIA[0-9A-Z]{12}"
    r"|(?<![\w-])eyJ[\w-]{8,2000}\.[\w-]{8}"
    r"|PRIVATE KEY-----|[?&](?:sig|X-Amz-Signature)="
)
#: What each of them has in it, by what most other texts do not have; and the fewest characters of one.
_OF_TOKENS = {
    "_": ("ghp_", "gho_", "ghs_", "ghu_", "github_pat_"),
    "-": ("sk-", "xox", "glpat-", "PRIVATE KEY-"),
    "=": ("sig=", "Signature="),
    "eyJ": ("eyJ",),
    "AKIA": ("AKIA",),
}
_SHORTEST_TOKEN = 15
#: Members by which an object names what another of its members is.
_NAMING = ("name", "key", "field", "header", "id", "k", "variable", "label")
#: Characters of a text that are looked at; less are ever shown.
_SHOWN = 4_000


def is_secret_name(name: str) -> bool:
    """Does the name of a property say that its value is secret?"""
    if len(name) > _LONGEST_NAME:  # what it is stands at an end
        name = f"{name[: _LONGEST_NAME // 2]} {name[-_LONGEST_NAME // 2 :]}"
    found = _FOUND.get(name)
    if found is None:
        if len(_FOUND) >= _MOST_FOUND:
            _FOUND.clear()
        found = _FOUND[name] = _is_secret(name)
    return found


def _is_secret(name: str) -> bool:
    if _ABROAD.search(name.casefold()) is not None:
        return True
    plain = [word.lower() for word in _WORD.findall(name)]
    words = [_singular(word) for word in plain]
    joined = "".join(words)
    if not words or _WHOLE.search(joined) is not None or tuple(words[-2:]) in _ALWAYS:
        return len(words) > 0
    if words[-1] in _DESCRIBING or words[0] in _ASKING:
        return False
    if _is_other_token(plain):  # what else there is may be secret
        words.pop()
        joined = "".join(words)
        if not words:
            return False
    if joined.endswith(_JOINED):
        return True
    stems = _STEMS.search(joined) is not None
    previous = ""
    for word in words:
        if (previous, word) in _PAIRED or word in _WORDS:
            return True
        if stems and _STEMS.search(word) and not (word == "token" and not _COUNTED.isdisjoint(words)):
            return True
        previous = word
    return words[-1] in _LAST and _NO_PASS.isdisjoint(words[-2:-1])


def _is_other_token(words: list[str]) -> bool:
    """Is it a number of tokens, or the token of a page?"""
    if words[-1] == "tokens":
        return len(words) == 1 or not _COUNTED.isdisjoint(words)
    return words[-1] == "token" and not _OF_PAGES.isdisjoint(words[-3:-1])


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def tells_secret(text: str) -> bool:
    """Does a text, to be shown from its beginning, name a secret and give it? Text that looks like JSON counts too."""
    start = beginning(text, _SHOWN)
    return (start[:1] in ("{", "[") and '"' in start) or gives_secret(start)


def names_a_secret(value: dict[str, Any] | list[Any] | tuple[Any, ...]) -> bool:
    """Does an object or array name a secret and give it: `{"name": "password", "value": ...}`, `["password", ...]`,
    `["--password", ...]`?"""
    if isinstance(value, dict):
        names = [dict.get(value, name) for name in _NAMING] if len(value) > 1 else []
    else:
        names = [part for part in value if type(part) is str and part[:2] == "--"]
        names += value[:1] if len(value) == 2 else ()
    return any([type(name) is str and is_secret_name(name) for name in names])


def names_in(text: str) -> int:
    """The most names that are looked at for `gives_secret`."""
    return text.count(":") + text.count("=") + text.count("--") + text.count("<")


def gives_secret(text: str) -> bool:
    """Does a text name a secret and give it, anywhere?"""
    # Most texts have nothing of what the expressions look for.
    lower = text.lower()
    if ("bearer" in lower or "basic" in lower) and _SENT.search(text) is not None:
        return True
    if "://" in text and _USER.search(text) is not None:
        return True
    if (":" in text or "=" in text) and any([is_secret_name(match[1]) for match in _ASSIGNED.finditer(text)]):
        return True
    if len(text) >= _SHORTEST_TOKEN and _may_hold_token(text) and _TOKEN.search(text) is not None:
        return True
    return ("--" in text or "<" in text) and any(
        [is_secret_name(match[1] or match[2]) for match in _LED.finditer(text)]
    )


def _may_hold_token(text: str) -> bool:
    found = [beginnings for mark, beginnings in _OF_TOKENS.items() if mark in text]
    return any([start in text for beginnings in found for start in beginnings])
