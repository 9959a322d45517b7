"""Verifies receipts (Ed25519, compact JWS) without a connection. Needs the package `cryptography`."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TYPE = "consent-receipt+jws"


@dataclass(frozen=True)
class Verdict:
    """What a holder of receipt and key set can conclude.

    verdict: `VALID`; `TAMPERED`: header, content or signature were changed, or the receipt beside the JWS is another
        one; `UNKNOWN_KEY`: the key set lacks the key that it names; `REVOKED_KEY`: the signature is right, but others
        may have the key; `KEY_NOT_YET_VALID`: it claims to be older than the first use of its key; `NOT_A_RECEIPT`.
    kid: id of the key that it names; None if it names none.
    revoked_at: since when that key counts as compromised.
    receipt: the signed content; None if the signature is wrong.
    """

    verdict: str
    kid: str | None = None
    revoked_at: str | None = None
    receipt: Any = None

    @property
    def valid(self) -> bool:
        """The verdict is VALID."""
        return self.verdict == "VALID"


def verify_receipt(receipt: str | Mapping[str, Any], keys: Mapping[str, Any]) -> Verdict:
    """Whether a key of the set signed the receipt. Any fault of the receipt is a verdict.

    receipt: what `GET /v1/receipts/{id}` answered, its text, or the JWS alone.
    keys: what `/.well-known/jwks.json` answered.
    """
    jws, beside = _presented(receipt)
    segments = jws.split(".") if isinstance(jws, str) else []
    parts = [_bytes(segment) for segment in segments]
    if len(parts) != 3 or parts[0] is None or parts[1] is None or parts[2] is None:
        return Verdict("NOT_A_RECEIPT")
    header = _parsed(_text(parts[0]))
    if not isinstance(header, dict):
        return Verdict("NOT_A_RECEIPT")
    kid = header.get("kid") if isinstance(header.get("kid"), str) else None
    if header.get("alg") not in ("EdDSA", "Ed25519") or header.get("typ") != TYPE:
        return Verdict("NOT_A_RECEIPT", kid)
    fitting = (one for one in keys["keys"] if (one["kid"], one["kty"], one["crv"]) == (kid, "OKP", "Ed25519"))
    key = next(fitting, None)
    public_key = None if key is None else _bytes(key["x"])
    if key is None or public_key is None or len(public_key) != 32:
        return Verdict("UNKNOWN_KEY", kid)
    if not _holds(parts[2], f"{segments[0]}.{segments[1]}".encode(), public_key):
        return Verdict("TAMPERED", kid)
    payload = _text(parts[1])
    content = _parsed(payload)
    # The service signs nothing else: a text that two parsers could read differently proves nothing.
    if content is None or canonical_json(content) != payload:
        return Verdict("NOT_A_RECEIPT", kid)
    if beside is not None and canonical_json(beside) != payload:
        return Verdict("TAMPERED", kid)
    return Verdict(_standing(content, key), kid, key.get("revokedAt"), json.loads(payload))


def _standing(receipt: Any, key: Mapping[str, Any]) -> str:
    """Timestamps have one form, so they compare as texts."""
    event = receipt.get("event") if isinstance(receipt, dict) else None
    recorded = (event.get("recordedAt") or event.get("at")) if isinstance(event, dict) else None
    if key.get("signsFrom") and isinstance(recorded, str) and recorded < key["signsFrom"]:
        return "KEY_NOT_YET_VALID"
    return "VALID" if key.get("revokedAt") is None else "REVOKED_KEY"


def _holds(signature: bytes, signed: bytes, public_key: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise ImportError("receipts are verified by the package cryptography; install assent-client[receipts]") from error
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def _presented(receipt: str | Mapping[str, Any]) -> tuple[Any, Any]:
    """The JWS, and the receipt beside it, which a bare JWS lacks."""
    if isinstance(receipt, str):
        text = receipt.strip()
        if not text.startswith("{"):
            return text, None
        read = _parsed(text)
    else:
        read = _parsed(json.dumps(receipt))
    return (read.get("jws"), read["receipt"]) if isinstance(read, dict) and "receipt" in read else (None, None)


def _parsed(text: str) -> Any:
    """The value, whose numbers are all doubles; None for no JSON, and for a name that is twice in an object."""
    try:
        return json.loads(text, parse_int=float, parse_constant=_refused, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None


def _refused(text: str) -> None:
    raise ValueError(text)


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("a name is there twice")
    return found


def _text(value: bytes) -> str:
    return value.decode(errors="replace")


def _bytes(segment: str) -> bytes | None:
    """Some bytes have several texts in base64url; only the canonical one counts. None for every other."""
    try:
        made = base64.b64decode(segment + "=" * (-len(segment) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return None
    return made if base64.urlsafe_b64encode(made).rstrip(b"=").decode() == segment else None


def canonical_json(value: Any) -> str | None:
    """RFC 8785 (JCS), the one text of a JSON value; None if there is none, as for a lone surrogate."""
    try:
        text = _written(value)
        text.encode()
    except (UnicodeEncodeError, ValueError, OverflowError, RecursionError):
        return None
    return text


def _written(value: Any) -> str:
    if isinstance(value, dict):
        # UTF-16 units, as RFC 8785 demands.
        names = sorted(value, key=lambda name: str(name).encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_quoted(name)}:{_written(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_written, value)) + "]"
    if isinstance(value, float):
        return _number(value)
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(number: float) -> str:
    """As ECMAScript writes it: the shortest digits, with an exponent from 1e21 and below 1e-6."""
    if number == 0:
        return "0"
    if number in (float("inf"), float("-inf")):
        raise ValueError("no JSON")
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = whole + ("" if fraction == "0" else fraction)
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    sign = "-" if number < 0 else ""
    if 0 < point <= 21:
        return sign + (digits.ljust(point, "0") if len(digits) <= point else f"{digits[:point]}.{digits[point:]}")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'+' if point > 0 else ''}{point - 1}"
