"""Errors of calls."""

from __future__ import annotations

from typing import Any


class AssentError(Exception):
    """A call that was refused, or that no answer came to. Its text holds code, message and hint.

    code: in lower snake case: a code of the service, or `no_connection` or `timed_out`, where a write may have happened
        or not and a repeat with its key is safe; `http_502` and the like where a proxy answered.
    hint: how to fix it; empty if no service answered.
    issues: the places in the request that are wrong, each with `path` and `message`.
    request_id: names the request in the logs of the service; None if no service answered.
    doc_url: page that explains the code; None if no service answered.
    status: HTTP status; 0 if no service answered.
    retry_after: seconds that the service asks to wait before the next try; 0 if it does not say.
    """

    def __init__(self, problem: dict[str, Any], status: int = 0, retry_after: float = 0) -> None:
        self.code: str = problem["code"]
        self.hint: str = problem.get("hint") or ""
        self.issues: list[dict[str, str]] = problem.get("issues") or []
        self.request_id: str | None = problem.get("requestId")
        self.doc_url: str | None = problem.get("docUrl")
        self.status = status
        self.retry_after = retry_after
        super().__init__(f"{self.code}: {problem.get('message', '')} {self.hint}".rstrip())

    @property
    def may_pass(self) -> bool:
        """Whether the same request can soon have another answer."""
        return self.status in (0, 429) or self.status >= 500 or self.code == "idempotency_in_progress"
