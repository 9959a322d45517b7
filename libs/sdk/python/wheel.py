"""Packs a folder as a wheel: wheel.py <folder> <readme> <to> <version> <seconds since 1970>. Prints its path."""

import base64
import hashlib
import sys
import time
import zipfile
from pathlib import Path

folder, readme, to, version, at = sys.argv[1:]
stamp = time.gmtime(max(int(at), 315532800))[:6]
info = f"assent_client-{version}.dist-info"
files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*.*")) if path.is_file()}
files[f"{info}/METADATA"] = f"""Metadata-Version: 2.1
Name: assent-client
Version: {version}
Summary: Consent and preferences of an Assent service, on servers
License: Apache-2.0
Keywords: consent,preferences,gdpr,privacy,webhooks
Requires-Python: >=3.11
Provides-Extra: receipts
Requires-Dist: cryptography>=38; extra == "receipts"
Description-Content-Type: text/markdown

{Path(readme).read_text(encoding="utf-8")}""".encode()
files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: assent\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def sum_of(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


record = "".join(f"{name},sha256={sum_of(content)},{len(content)}\n" for name, content in files.items())
files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
path = Path(to) / f"assent_client-{version}-py3-none-any.whl"
path.parent.mkdir(parents=True, exist_ok=True)
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
    for name, content in files.items():
        entry = zipfile.ZipInfo(name, stamp)
        entry.external_attr = 0o644 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, content)
print(path)
