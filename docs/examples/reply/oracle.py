"""The scripted agent: reads, then drafts."""

import base64
import re
from email.message import EmailMessage

from tenure.oracle import Hands, Notes
from tenure.twins.gmail.pilot import Gmail

GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me"


async def solve(hands: Hands) -> None:
    """Draft the answer."""
    notes = Notes()
    await hands.step("read", read, notes)
    await hands.step("draft", draft, notes)


async def read(hands: Hands, notes: Notes) -> None:
    """Find the question and the newest word of the warehouse."""
    customer = hands.instruction.split(" asked")[0]
    notes.query = f"from:{customer.split()[0].lower()}"
    notes.question = await newest(hands, notes.query)
    notes.day = re.findall(r"\d{4}-\d{2}-\d{2}", (await newest(hands, "from:warehouse"))["text"])[0]


async def newest(hands: Hands, query: str) -> dict[str, str]:
    """The newest mail that a search finds."""
    if hands.prefer == "screen":
        gmail = Gmail(hands.screen)
        await gmail.search(query)
        await gmail.open_thread("")
        return {"text": (await gmail.read_thread())[-1].text}
    if hands.prefer == "mcp":
        found = await hands.mcp.call("gmail_search_threads", query=query)
        thread = await hands.mcp.call(
            "gmail_get_thread", threadId=found["threads"][0]["id"], messageFormat="FULL_CONTENT"
        )
        message = thread["messages"][-1]
        return {
            "id": message["id"],
            "thread": found["threads"][0]["id"],
            "sender": message["sender"],
            "message_id": "",
            "text": message["plaintextBody"],
        }
    listed = await hands.http.get(f"{GMAIL}/messages", q=query, maxResults=1)
    message = await hands.http.get(f"{GMAIL}/messages/{listed['messages'][0]['id']}")
    headers = {h["name"].lower(): h["value"] for h in message["payload"]["headers"]}
    data = message["payload"]["body"]["data"]
    return {
        "id": message["id"],
        "thread": message["threadId"],
        "sender": headers["from"],
        "message_id": headers["message-id"],
        "text": base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)).decode(),
    }


async def draft(hands: Hands, notes: Notes) -> None:
    """Save the answer as a draft in the question's thread."""
    text = f"Hello, your order arrives on {notes.day}. Best regards, Ana"
    if hands.prefer == "screen":
        gmail = Gmail(hands.screen)
        await gmail.search(notes.query)
        await gmail.open_thread("")
        await (await gmail.reply(text)).saved()
        return
    address = notes.question["sender"].split("<")[-1].rstrip(">")
    if hands.prefer == "mcp":
        await hands.mcp.call(
            "gmail_create_draft",
            to=[address],
            subject="Re: Our order",
            body=text,
            replyToMessageId=notes.question["id"],
        )
        return
    letter = EmailMessage()
    letter["To"], letter["Subject"] = address, "Re: Our order"
    letter["In-Reply-To"] = letter["References"] = notes.question["message_id"]
    letter.set_content(text)
    raw = base64.urlsafe_b64encode(letter.as_bytes()).decode()
    await hands.http.post(f"{GMAIL}/drafts", {"message": {"raw": raw, "threadId": notes.question["thread"]}})
