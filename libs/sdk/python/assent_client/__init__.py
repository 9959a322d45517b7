"""Consent and preferences of an Assent service, on servers."""

from .client import AssentClient
from .errors import AssentError
from .identity import sign_identity_token
from .receipts import Verdict, verify_receipt
from .webhooks import WebhookSignatureError, construct_webhook_event, verify_webhook_signature

__all__ = [
    "AssentClient",
    "AssentError",
    "Verdict",
    "WebhookSignatureError",
    "construct_webhook_event",
    "sign_identity_token",
    "verify_receipt",
    "verify_webhook_signature",
]
