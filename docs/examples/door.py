"""An attempt through the Python door: a few lines of your own in place of an agent."""

import asyncio
from email.message import EmailMessage

import tenure

GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me"


async def main() -> None:
    """Read, draft, and have it graded."""
    async with tenure.attempt("docs/examples/reply", seed=11) as attempt:
        print(attempt.instruction)

        found = attempt.call("gmail_search_threads", query="from:warehouse").json()
        profile = (await attempt.http.get(f"{GMAIL}/profile")).json()
        print(f"{profile['emailAddress']} has {len(found['threads'])} threads from the warehouse")

        letter = EmailMessage()
        letter["To"], letter["Subject"] = "someone@else.example", "Re: Our order"
        letter.set_content("It arrives soon.")
        upload = "https://gmail.googleapis.com/upload/gmail/v1/users/me/drafts"
        await attempt.http.post(upload, content=letter.as_bytes(), headers={"content-type": "message/rfc822"})

        card = (await attempt.finish()).scorecard
    for finding in card.findings:
        print(f"{finding.outcome:8} {finding.says}: {finding.saw}")
    print(card.outcome)


if __name__ == "__main__":
    asyncio.run(main())
