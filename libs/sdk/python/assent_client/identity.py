"""Identity tokens, by which the public key of a page reaches the subject of the logged-in person."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Sequence
from typing import Any

LIFE_MAX = 86_400


def sign_identity_token(
    subject: str,
    *,
    secret_key: str,
    site: str,
    expires_in_seconds: int = 900,
    scope: Sequence[str] | None = None,
) -> str:
    """A token (HS256, under a key that is derived from the secret key) for the person of a session. Hand it to the page.

    subject: the person, `<kind>:<value>`, such as `user_id:42`; not the id of a subject.
    secret_key: a secret key of the site (`sk_…`). Revoking it ends its tokens.
    site: the site of the key, by its name.
    expires_in_seconds: lifetime, at most a day.
    scope: limits the token to these scopes. Default: all that a public key may do.

    Raises a ValueError if an argument is not as described.
    """
    key = re.match(r"sk_(test|live)_([0-9A-Za-z]{12})", secret_key)
    if key is None:
        raise ValueError("secret_key must be a secret key, which begins with sk_test_ or sk_live_")
    if not re.match(r"(?!subject:)[a-z][a-z0-9_.]*:.", subject):
        raise ValueError("subject must be <kind>:<value>, such as user_id:42")
    if not site:
        raise ValueError("site must be the name of the site that the key belongs to")
    if not 1 <= expires_in_seconds <= LIFE_MAX:
        raise ValueError(f"expires_in_seconds must be from 1 to {LIFE_MAX}")
    now = int(time.time())
    claims: dict[str, Any] = {
        "iss": site,
        "aud": "consent-api",
        "sub": subject,
        "env": key[1],
        "iat": now,
        "exp": now + int(expires_in_seconds),
    }
    if scope is not None:
        claims["scope"] = list(scope)
    header = {"alg": "HS256", "typ": "consent-identity+jwt", "kid": f"key_{key[2]}"}
    signed = f"{_segment(header)}.{_segment(claims)}"
    # HKDF-SHA-256 (RFC 5869) without a salt, of 32 bytes: one block.
    extracted = hmac.digest(bytes(32), secret_key.encode(), hashlib.sha256)
    mac_key = hmac.digest(extracted, b"consent-identity-token/v1\x01", hashlib.sha256)
    return f"{signed}.{_base64url(hmac.digest(mac_key, signed.encode(), hashlib.sha256))}"


def _segment(value: dict[str, Any]) -> str:
    return _base64url(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _base64url(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
