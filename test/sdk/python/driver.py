"""What test/acceptance/sdk.spec.ts drives: each line of the input is a call, each line of the output its answer."""

import contextlib
import io
import json
import pathlib
import sys
from typing import Any

from assent_client import (
    AssentClient,
    AssentError,
    WebhookSignatureError,
    construct_webhook_event,
    sign_identity_token,
    verify_receipt,
    verify_webhook_signature,
)

client: AssentClient


def open_client(asked: dict[str, Any]) -> None:
    global client
    token = asked.get("identityToken")
    client = AssentClient(
        asked["baseUrl"],
        asked["apiKey"],
        timeout=asked["timeoutMs"] / 1000,
        identity_token=None if token is None else lambda: str(token),
    )


def sign(asked: dict[str, Any]) -> str:
    named = {"expiresInSeconds": "expires_in_seconds", "secretKey": "secret_key"}
    return sign_identity_token(asked.pop("subject"), **{named.get(name, name): value for name, value in asked.items()})


def webhook(asked: dict[str, Any]) -> dict[str, Any]:
    more = {"tolerance": asked["toleranceSeconds"]} if "toleranceSeconds" in asked else {}
    signed = (asked["header"], asked["rawBody"].encode(), asked["secrets"])
    verified = verify_webhook_signature(*signed, **more)
    try:
        return {"verified": verified, "outcome": "taken", "id": construct_webhook_event(*signed, **more)["id"]}
    except WebhookSignatureError as error:
        return {"verified": verified, "outcome": error.reason}


def guide(asked: dict[str, Any]) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(pathlib.Path("guide.py").read_text(), "guide.py", "exec"), {})
    return said.getvalue()


def keyed(asked: dict[str, Any]) -> dict[str, Any]:
    return {"idempotency_key": asked.pop("idempotencyKey", None)}


CALLS = {
    "open": open_client,
    "guide": guide,
    "recordConsent": lambda asked: client.record_consent(**keyed(asked), body=asked),
    "recordConsentBatch": lambda asked: client.record_consent_batch({"records": asked["records"], "mode": "PARTIAL"}),
    "getConsentState": lambda asked: client.get_consent_state(asked["subject"], purpose=[asked["purpose"]]),
    "getConsentHistory": lambda asked: client.get_consent_history(asked.pop("subject"), **asked),
    "setPreferences": lambda asked: client.set_preferences(asked),
    "getPreferences": lambda asked: client.get_preferences(asked["subject"]),
    "createSubject": lambda asked: client.create_subject({"identifiers": [asked]}),
    "getReceipt": lambda asked: client.get_receipt(asked["id"]),
    "signIdentityToken": sign,
    "verifyReceipt": lambda asked: (
        verify_receipt(asked["receipt"], asked["keys"]) if "keys" in asked else client.verify_receipt(asked["receipt"])
    ).verdict,
    "verifyWebhook": webhook,
}

for line in sys.stdin:
    call = json.loads(line)
    try:
        answer = {"answer": CALLS[call["call"]](call["with"])}
    except AssentError as error:
        issues = [issue["path"] for issue in error.issues]
        answer = {
            "error": {
                "code": error.code,
                "status": error.status,
                "hint": error.hint,
                "requestId": error.request_id,
                "paths": issues,
            }
        }
    except ValueError as error:
        answer = {"error": {"code": "argument", "hint": str(error)}}
    print(json.dumps(answer), flush=True)
