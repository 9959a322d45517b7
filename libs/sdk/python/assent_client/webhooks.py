"""Checks webhooks by the signature in `Consent-Signature`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Sequence
from typing import Any, cast

from .operations import WebhookEvent

TOLERANCE = 300


class WebhookSignatureError(Exception):
    """A webhook that is not taken. Answer 401.

    reason: `missing_header`, `malformed_header`, `no_match`, `timestamp_out_of_tolerance` or `invalid_payload` (the
        signature is right, but the body is no event).
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"The webhook is not taken: {reason}.")


def construct_webhook_event(
    header: str | None, raw_body: bytes, secret: str | Sequence[str], *, tolerance: float = TOLERANCE
) -> WebhookEvent:
    """The event of a webhook with a right signature; also one of a type that this version does not know.

    header: `Consent-Signature`, as in the request.
    raw_body: the body as it came, before any parser.
    secret: the secret of the endpoint (`whsec_…`); during a rotation, both.
    tolerance: how old or new a signature may be, in seconds. 0: any age.

    Raises a WebhookSignatureError for one that is not to be taken, and a ValueError for an empty secret, with which any
    sender could sign.
    """
    reason = _fault(header, raw_body, secret, tolerance)
    if reason is not None:
        raise WebhookSignatureError(reason)
    try:
        event: Any = json.loads(raw_body.decode())
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise WebhookSignatureError("invalid_payload")
    return cast(WebhookEvent, event)


def verify_webhook_signature(
    header: str | None, raw_body: bytes, secret: str | Sequence[str], *, tolerance: float = TOLERANCE
) -> bool:
    """Whether one of the secrets signed the body, not too long ago. Arguments as those of construct_webhook_event."""
    return _fault(header, raw_body, secret, tolerance) is None


def _fault(header: str | None, body: bytes, secret: str | Sequence[str], tolerance: float) -> str | None:
    keys = [_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("secret must be the secret of the endpoint")
    if not header:
        return "missing_header"
    fields = [field.strip().split("=") for field in header.split(",")]
    times = [field[1] if len(field) > 1 else "" for field in fields if field[0] == "t"]
    signatures = [field[1] if len(field) > 1 else "" for field in fields if field[0] == "v1"]
    if len(times) != 1 or not re.fullmatch(r"[0-9]{1,12}", times[0]) or not signatures:
        return "malformed_header"
    expected = [hmac.new(key, f"{times[0]}.".encode() + body, hashlib.sha256).hexdigest() for key in keys]
    # Compares every pair, so that timing does not show which one fits.
    fitting = [hmac.compare_digest(mac.encode(), signature.encode()) for mac in expected for signature in signatures]
    if not any(fitting):
        return "no_match"
    return "timestamp_out_of_tolerance" if 0 < tolerance < abs(time.time() - int(times[0])) else None


def _key(secret: str) -> bytes:
    """The part after `whsec_`, decoded; for a secret without that prefix its characters."""
    try:
        key = base64.b64decode(secret[6:], validate=True) if secret.startswith("whsec_") else secret.encode()
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("secret must be the whole secret of the endpoint")
    return key
