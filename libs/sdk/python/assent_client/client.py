"""The client: what it sends, and how often."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode

from .errors import AssentError
from .operations import Operations
from .receipts import Verdict, verify_receipt

TRIES = 3
# The first wait is at most so long, each later one at most twice as long as the one before. Seconds.
FIRST_WAIT = 0.3
# Of an answer. Bytes.
ANSWER_MAX = 64 * 1024 * 1024
PIECE = 64 * 1024


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The service never sends a caller elsewhere with its key."""

    def redirect_request(self, *_: Any) -> None:
        return None


class AssentClient(Operations):
    """Every operation of the service that servers call. Safe for all threads. Reads contain its own earlier writes.

    base_url: address of the service, such as `https://consent.example`. A path before `/v1` may be part of it.
    api_key: the secret key (`sk_…`) of the site; a public key (`pk_…`) for what only public keys may call.
    timeout: seconds for one call with all its tries and waits.
    identity_token: with a public key, a function that returns the token of the person that a call is about.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 10,
        identity_token: Callable[[], str | None] | None = None,
    ) -> None:
        if not base_url.startswith(("https://", "http://")):
            raise ValueError("base_url must be the address of the service, such as https://consent.example")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._identity_token = identity_token
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._lock = threading.Lock()
        # Position in the log of the latest known write.
        self._position = -1
        self._keys: Any = None

    def verify_receipt(self, receipt: str | Mapping[str, Any]) -> Verdict:
        """Whether a key of the service signed the receipt, and what holds for that key.

        Fetches the key set once, and again for a key that it lacks. `receipt`: what `get_receipt` returns, its text, or
        the JWS alone. Needs the package `cryptography`. Raises an AssentError if the key set cannot be fetched.
        """
        known = self._keys
        if known is None:
            self._keys = self.get_key_set()
        verdict = verify_receipt(receipt, self._keys)
        if verdict.verdict != "UNKNOWN_KEY" or known is None:
            return verdict
        self._keys = self.get_key_set()
        return verify_receipt(receipt, self._keys)

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Up to three tries within the time, with random waits (full jitter), longer where `Retry-After` says so."""
        given = [(name, _text(value)) for name, value in (query or {}).items() if value is not None]
        url = self._base_url + path + (f"?{urlencode(given, doseq=True)}" if given else "")
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        request = urllib.request.Request(url, data, self._headers(method, data, idempotency_key), method=method)
        end = time.monotonic() + self._timeout
        tries = 1
        while True:
            left = end - time.monotonic()
            try:
                # Half of the time, so that another try is possible after one that hangs.
                return self._try(request, left / 2 if tries < TRIES else left)
            except AssentError as error:
                wait = error.retry_after + random.uniform(0, FIRST_WAIT * 2 ** (tries - 1))
                if not error.may_pass or tries == TRIES or time.monotonic() + wait >= end:
                    raise
            time.sleep(wait)
            tries += 1

    def _headers(self, method: str, data: bytes | None, idempotency_key: str | None) -> dict[str, str]:
        headers = {"Accept": "application/json", "Authorization": f"Bearer {self._api_key}"}
        token = self._identity_token() if self._identity_token else None
        if token is not None:
            headers["Consent-Identity"] = token
        if data is not None:
            headers["Content-Type"] = "application/json"
        if method != "GET":
            # All tries share it, so that the write has one effect.
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        elif self._position >= 0:
            headers["X-Log-Position"] = str(self._position)
        return headers

    def _try(self, request: urllib.request.Request, seconds: float) -> Any:
        """One try. An answer that breaks off is no answer."""
        end = time.monotonic() + seconds
        try:
            try:
                response = self._opener.open(request, timeout=max(seconds, 0.001))
            except urllib.error.HTTPError as refused:
                response = refused
            with response:
                text = _read(response, end)
                status: int = response.status
                headers = response.headers
        except TimeoutError as error:
            raise _timed_out() from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise _timed_out() from error
            raise _unreachable() from error
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable() from error
        self._note(headers.get("X-Log-Position") or "")
        if status < 300:
            return _parsed(text)
        problem = _parsed(text)
        if not isinstance(problem, dict) or not isinstance(problem.get("code"), str):
            problem = {"code": f"http_{status}", "message": "The answer is not of the service."}
        raise AssentError(problem, status, _retry_after(headers.get("Retry-After") or ""))

    def _note(self, position: str) -> None:
        if position.isascii() and position.isdigit() and len(position) <= 20:
            with self._lock:
                self._position = max(self._position, int(position))


def _read(response: Any, end: float) -> bytes:
    pieces = []
    size = 0
    while piece := response.read1(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > ANSWER_MAX:
            raise http.client.HTTPException("the answer is too long")
        if time.monotonic() > end:
            raise TimeoutError
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(pieces)


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _text(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return value


def _retry_after(text: str) -> float:
    """Seconds, or a date (RFC 9110 section 10.2.3)."""
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max((parsedate_to_datetime(text) - datetime.now(timezone.utc)).total_seconds(), 0)
    except (TypeError, ValueError):
        return 0


def _timed_out() -> AssentError:
    return AssentError({"code": "timed_out", "message": "No answer came in time."})


def _unreachable() -> AssentError:
    return AssentError({"code": "no_connection", "message": "The service could not be reached."})
