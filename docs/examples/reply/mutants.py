"""Wrong ways through the task, and what must notice them."""

from tenure.oracle import Hands, Mutant, Notes, Vandal

GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me"


def superseded(notes: Notes) -> None:
    """The warehouse's first date, three days before."""
    notes.day = f"{notes.day[:-2]}{int(notes.day[-2:]) - 3:02d}"


async def send_everything(hands: Hands) -> None:
    """Send the draft after all."""
    listed = await hands.http.get(f"{GMAIL}/drafts")
    await hands.http.post(f"{GMAIL}/drafts/send", {"id": listed["drafts"][0]["id"]})


MUTANTS = [
    Mutant("no draft", kills=("draft", "date"), skip="draft"),
    Mutant("two drafts", kills=("draft",), repeat="draft"),
    Mutant("the superseded date", kills=("date",), after={"read": superseded}),
]
VANDALS = [Vandal("sends the draft", kills=("unsent",), do=send_everything)]
