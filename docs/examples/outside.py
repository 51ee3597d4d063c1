"""An outside agent, as small as one can be: it has the real hostnames, its tokens and its request."""

import json
import os
from pathlib import Path

import httpx

GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me"

request = Path(os.environ["TENURE_INSTRUCTION"]).read_text("utf-8")
headers = json.loads(os.environ["TENURE_TOKENS"])["gmail.googleapis.com"]

with httpx.Client(headers=headers) as client:
    listed = client.get(f"{GMAIL}/messages", params={"q": "in:inbox"}).raise_for_status().json()
    print(f"{request.split('.')[0]}.")
    print(f"There are {len(listed['messages'])} mails in the inbox.")
