"""Gmail's screen as oracles and tests use it: by role and accessible name, one move at a time."""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote, unquote

from tenure.twins.wire.pilot import Screen, Spot, choose, fill

URL = "https://mail.google.com/mail/u/0/"
_MESSAGES = Spot("list", "Messages")


def button(name: str, within: Spot | None = None) -> Spot:
    """A button by its whole name."""
    return Spot("button", name, exact=True, within=within)


class Read(NamedTuple):
    """A message of an open conversation, as it is shown.

    Attributes:
        sender: Its first line: name and address.
        text: Everything that is shown of it.
    """

    sender: str
    text: str


class Letter:
    """An open compose window, or a reply in its conversation."""

    def __init__(self, screen: Screen, window: Spot) -> None:
        """Take hold of a window that is open."""
        self.screen, self.window = screen, window

    async def address(self, field: str, people: Iterable[str]) -> None:
        """Add people to ``To``, ``Cc`` or ``Bcc``: addresses, or the beginnings of suggestions."""
        people = list(people)
        if not people:
            return
        if field != "To" and not await self.screen.texts(self._field(field)):
            await self.screen.click(button(field, self.window))
        await self.screen.click(self._field(field))
        for person in people:
            await self.screen.type(person)
            await self.screen.press("," if "@" in person else "Enter")

    def _field(self, name: str) -> Spot:
        return Spot("combobox", name, exact=True, within=self.window)

    async def subject(self, text: str) -> None:
        """Set the subject."""
        await fill(self.screen, Spot("textbox", "Subject", within=self.window), text)

    async def write(self, text: str) -> None:
        """Write into the body where its cursor is: at the beginning, before a signature and a quote."""
        subject = Spot("textbox", "Subject", within=self.window)
        if await self.screen.texts(subject):
            await self.screen.click(subject)
            await self.screen.press("Tab")
        await self.screen.type(text)

    async def begin(self) -> None:
        """Put the cursor at the beginning of the body."""
        await self.screen.click(Spot("textbox", "Message Body", within=self.window))
        await self.screen.press("Control+Home")

    async def attach(self, filename: str, data: bytes) -> None:
        """Attach a file."""
        await self.screen.upload(button("Attach files", self.window), filename, data)
        await self.screen.wait(Spot("button", f"Remove attachment {filename}", within=self.window))

    async def saved(self) -> None:
        """Wait until the draft is saved."""
        await self.screen.wait(Spot("status", "Draft saved", within=self.window))

    async def close(self) -> None:
        """Save the draft and close the window."""
        await self.screen.click(button("Save & close", self.window))
        await self.screen.wait(self.window, gone=True)

    async def send(self) -> None:
        """Send, and wait until it is sent."""
        await self.screen.click(button("Send", self.window))
        await self.screen.wait(self.window, gone=True)
        await sent(self.screen)

    async def schedule(self, choice: str) -> None:
        """Schedule the send at a time that the menu offers (``Tomorrow morning``)."""
        await self.screen.click(button("More send options", self.window))
        await self.screen.click(Spot("menuitem", choice))
        await self.screen.wait(self.window, gone=True)

    async def schedule_at(self, day: str, time: str) -> None:
        """Schedule the send at ``2026-09-23`` and ``14:30``."""
        await self.screen.click(button("More send options", self.window))
        await self.screen.click(Spot("menuitem", "Pick date"))
        await pick_time(self.screen, "Pick date", day, time, "Schedule send")
        await self.screen.wait(self.window, gone=True)

    async def discard(self) -> None:
        """Throw the draft away."""
        await self.screen.click(button("Discard draft", self.window))
        await self.screen.wait(self.window, gone=True)


async def sent(screen: Screen) -> None:
    """Wait until what is being sent can no longer be taken back, and is sent."""
    await screen.wait(Spot("status", "Sending"))
    await screen.wait(Spot("status", "Sending"), gone=True)
    await screen.wait(Spot("status", "Message sent"))


async def pick_time(screen: Screen, title: str, day: str, time: str, action: str) -> None:
    """Fill the dialog that asks for a date and a time."""
    dialog = Spot("dialog", title)
    await fill(screen, Spot("textbox", "Date", within=dialog), day)
    await screen.press("Tab")
    await fill(screen, Spot("textbox", "Time", within=dialog), time)
    await screen.click(button(action, dialog))


class Gmail:
    """The mailbox of whoever is signed in."""

    def __init__(self, screen: Screen) -> None:
        """Use a screen."""
        self.screen = screen

    # -- going places ----------------------------------------------------------------------------

    async def open(self, place: str = "inbox") -> None:
        """Open a list by its address: ``inbox``, ``sent``, ``label/Clients``, ``category/social``."""
        await self.screen.goto(f"{URL}#{place}")
        name = place.rpartition("/")[2] if "/" in place else {"all": "All Mail"}.get(place, place)
        await self.screen.wait(Spot("heading", unquote(name)))

    async def search(self, query: str) -> None:
        """Search through the bar."""
        await fill(self.screen, Spot("textbox", "Search mail"), query)
        await self.screen.press("Enter")
        await self.screen.wait(Spot("heading", f"Search results for {query}", exact=True))

    async def search_options(self, *, attachment: bool = False, where: str = "", **fields: str) -> None:
        """Search through the panel.

        Args:
            attachment: Tick "Has attachment".
            where: An option of the panel's "Search", such as ``Inbox``.
            **fields: Texts by ``sender``, ``to``, ``subject``, ``words``, ``without``.
        """
        names = {"sender": "From", "to": "To", "subject": "Subject"}
        names |= {"words": "Has the words", "without": "Doesn't have"}
        panel = Spot("form", "Search options")
        await self.screen.click(button("Show search options"))
        for field, text in fields.items():
            await fill(self.screen, Spot("textbox", names[field], exact=True, within=panel), text)
        if where:
            await choose(self.screen, Spot("combobox", "Search", exact=True, within=panel), where)
        if attachment:
            await self.screen.click(Spot("checkbox", "Has attachment", within=panel))
        await self.screen.click(button("Search", panel))
        await self.screen.wait(Spot("heading", "Search results"))

    async def rows(self) -> list[str]:
        """What the rows of the list say, in order."""
        return await self.screen.texts(Spot("link", within=self._list))

    _list = Spot("list", "", within=Spot("main"))

    async def open_thread(self, subject: str, nth: int = 0) -> None:
        """Open the conversation with a subject."""
        await self.screen.click(Spot("link", subject, nth, within=self._list))
        await self.screen.wait(_MESSAGES)

    async def read_subject(self) -> str:
        """The subject of the open conversation."""
        return await self.screen.text(Spot("heading", within=Spot("main")))

    async def read_thread(self) -> list[Read]:
        """Every message of the open conversation."""
        if await self.screen.texts(button("Expand all")):
            await self.screen.click(button("Expand all"))
        shown = await self.screen.texts(Spot("listitem", "Message from", within=_MESSAGES))
        return [Read(text.partition("\n")[0], text) for text in shown]

    async def back(self) -> None:
        """From a conversation to its list."""
        await self.screen.click(Spot("button", "Back to"))
        await self.screen.wait(Spot("toolbar", "Conversations"))

    # -- writing ---------------------------------------------------------------------------------

    async def compose(
        self,
        to: Iterable[str] = (),
        subject: str = "",
        body: str = "",
        *,
        cc: Iterable[str] = (),
        bcc: Iterable[str] = (),
    ) -> Letter:
        """Write a new message; ``send`` or ``close`` what is returned."""
        await self.screen.click(button("Compose"))
        letter = Letter(self.screen, Spot("dialog", "New Message"))
        await self.screen.wait(Spot("textbox", "Message Body", within=letter.window))
        await letter.address("To", to)
        await letter.address("Cc", cc)
        await letter.address("Bcc", bcc)
        if body:
            await letter.write(body)
        if subject:
            await letter.subject(subject)
            letter.window = Spot("dialog", subject)
        return letter

    async def open_draft(self, subject: str) -> Letter:
        """Open a draft from the list of drafts."""
        await self.screen.click(Spot("link", subject, within=self._list))
        letter = Letter(self.screen, Spot("dialog", subject))
        await self.screen.wait(Spot("textbox", "Message Body", within=letter.window))
        return letter

    async def reply(self, body: str, *, everyone: bool = False) -> Letter:
        """Answer the newest message of the open conversation; ``send`` what is returned."""
        await self.screen.click(button("Reply all" if everyone else "Reply", Spot("group", "Answer")))
        return await self._inline("Reply", body)

    async def forward(self, to: Iterable[str], body: str = "") -> Letter:
        """Pass the newest message of the open conversation on."""
        await self.screen.click(button("Forward", Spot("group", "Answer")))
        letter = await self._inline("Forward", body)
        await letter.address("To", to)
        return letter

    async def _inline(self, title: str, body: str) -> Letter:
        letter = Letter(self.screen, Spot("region", title, exact=True))
        await self.screen.wait(Spot("textbox", "Message Body", within=letter.window))
        if body:
            await letter.write(body)
        return letter

    # -- conversations ---------------------------------------------------------------------------

    async def select(self, *subjects: str) -> None:
        """Tick conversations of the list."""
        for subject in subjects:
            await self.screen.click(Spot("checkbox", f"Select {subject}", within=self._list))

    async def act(self, name: str) -> None:
        """Press a button of the toolbar (``Archive``, ``Delete``, ``Mark as read``…)."""
        await self.screen.click(button(name, Spot("toolbar", "Conversation")))
        await self.screen.wait(Spot("status", "onversation"))

    async def star(self, subject: str) -> None:
        """Press a conversation's star in the list."""
        await self.screen.click(Spot("button", f"Star {subject}", within=self._list))

    async def label(self, *names: str) -> None:
        """Add labels to what is selected or open, or take those off that all of it has."""
        await self.screen.click(button("Labels", Spot("toolbar", "Conversation")))
        for name in names:
            await self.screen.click(Spot("menuitemcheckbox", name, exact=True))
            await self.screen.wait(Spot("status", f"Label “{name}”"))
        await self.screen.press("Escape")

    async def move(self, place: str) -> None:
        """Move what is selected or open to a label, Inbox, Spam or Trash."""
        await self.screen.click(button("Move to", Spot("toolbar", "Conversation")))
        await self.screen.click(Spot("menuitem", place, exact=True))
        await self.screen.wait(Spot("status", f"moved to “{place}”"))

    async def snooze(self, choice: str) -> None:
        """Snooze what is selected or open until a time that the menu offers (``Tomorrow``)."""
        await self.screen.click(button("Snooze", Spot("toolbar", "Conversation")))
        await self.screen.click(Spot("menuitem", choice))
        await self.screen.wait(Spot("status", "snoozed until"))

    async def snooze_until(self, day: str, time: str) -> None:
        """Snooze what is selected or open until ``2026-09-23`` and ``14:30``."""
        await self.screen.click(button("Snooze", Spot("toolbar", "Conversation")))
        await self.screen.click(Spot("menuitem", "Pick date"))
        await pick_time(self.screen, "Snooze until", day, time, "Save")
        await self.screen.wait(Spot("status", "snoozed until"))

    async def undo(self) -> None:
        """Take the last action back."""
        await self.screen.click(Spot("button", "Undo", nth=-1, exact=True))

    async def empty(self, place: str) -> None:
        """Empty ``Trash`` or ``Spam`` from its list."""
        await self.screen.click(button(f"Empty {place} now"))
        await self.screen.click(button("Delete forever", Spot("dialog")))
        await self.screen.wait(Spot("status", f"{place} emptied"))

    # -- labels and settings ---------------------------------------------------------------------

    async def create_label(self, name: str, parent: str = "") -> None:
        """Make a label, nested under another when given."""
        dialog = Spot("dialog", "New label")
        await self.screen.click(button("Create new label"))
        await fill(self.screen, Spot("textbox", "new label name", within=dialog), name)
        if parent:
            await self.screen.click(Spot("checkbox", "Nest label under", within=dialog))
            await choose(self.screen, Spot("combobox", "Parent label", within=dialog), parent)
        await self.screen.click(button("Create", dialog))
        await self.screen.wait(dialog, gone=True)

    async def settings(self, tab: str = "general") -> None:
        """Open a page of the settings: ``general``, ``labels``, ``filters``, ``forwarding``."""
        await self.screen.goto(f"{URL}#settings/{quote(tab)}")
        await self.screen.wait(Spot("navigation", "Settings"))

    async def create_filter(self, criteria: dict[str, str], *actions: str, label: str = "") -> None:
        """Make a filter on the open page of filters.

        Args:
            criteria: Texts by the form's names: ``From``, ``To``, ``Subject``, ``Has the words``…
            actions: Names of boxes to tick: ``Skip the Inbox``, ``Star it``…
            label: A label to apply.
        """
        dialog = Spot("dialog", "Create a filter")
        await self.screen.click(button("Create a new filter"))
        for name, text in criteria.items():
            await fill(self.screen, Spot("textbox", name, exact=True, within=dialog), text)
        await self.screen.click(button("Continue", dialog))
        for name in actions:
            await self.screen.click(Spot("checkbox", name, within=dialog))
        if label:
            await choose(self.screen, Spot("combobox", "Apply the label", within=dialog), label)
        await self.screen.click(button("Create filter", dialog))
        await self.screen.wait(dialog, gone=True)

    async def vacation(self, subject: str, message: str) -> None:
        """Turn the vacation responder on, on the open general page."""
        part = Spot("region", "Vacation responder")
        await self.screen.click(Spot("radio", "Vacation responder on", within=part))
        await fill(self.screen, Spot("textbox", "Subject", within=part), subject)
        await fill(self.screen, Spot("textbox", "Message", within=part), message)
        await self._save(part)

    async def signature(self, text: str) -> None:
        """Set the signature, on the open general page."""
        part = Spot("region", "Signature", exact=True)
        await fill(self.screen, Spot("textbox", "Signature", within=part), text)
        await self._save(part)

    async def _save(self, part: Spot) -> None:
        await self.screen.click(button("Save Changes", part))
        await self.screen.wait(Spot("status", "preferences have been saved"))
