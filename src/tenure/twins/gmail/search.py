"""Listing a mailbox: newest first, narrowed by the indexes, decided by ``Matcher``."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from tenure.twins.gmail import query
from tenure.twins.gmail.mailbox import check_labels
from tenure.twins.gmail.match import Matcher
from tenure.twins.gmail.records import ATTACHED, HIDDEN, Message, owner_token
from tenure.world import Act

Place = tuple[str | int | float, str]
_FEW = 64
"""Found by the text index: up to so many are read and sorted at once."""
_FOREVER = 2**62
"""Later than any message; a date in a query may be later still."""
_TEXTUAL = frozenset(("from", "to", "cc", "bcc", "subject", "filename"))


@dataclass
class _Plan:
    """What must hold, as far as the indexes can tell."""

    labels: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    choices: list[query.Some] = field(default_factory=list)
    first: int | None = None
    last: int | None = None
    letter: str = ""

    def narrow(self, first: int | None, last: int | None) -> None:
        if first is not None:
            self.first = min(_FOREVER, first if self.first is None else max(self.first, first))
        if last is not None:
            self.last = min(_FOREVER, last if self.last is None else min(self.last, last))


class Search:
    """One question to one mailbox."""

    def __init__(
        self,
        act: Act,
        account: str,
        q: str = "",
        labels: Collection[str] = (),
        *,
        hidden: bool = False,
        label_ids: bool = False,
    ) -> None:
        """Ask.

        Args:
            act: The act.
            account: Account id.
            q: The query.
            labels: Label ids that must all be on a message.
            hidden: Spam and trash too.
            label_ids: ``label:`` in the query takes ids.

        Raises:
            GoogleError: 400, an unknown label id.
        """
        check_labels(act, account, labels)
        self.act, self.account, self.labels = act, account, list(labels)
        self.node = query.parse(q)
        self.matcher = Matcher(act, account, label_ids)
        asked = {self.matcher.label(term) for term in query.terms(self.node)}
        anywhere = query.Term("in", "anywhere")
        named = any(term._replace(value=term.value.lower()) == anywhere for term in query.terms(self.node))
        self.hidden = hidden or named or not HIDDEN.isdisjoint({*labels, *asked})

    def holds(self, record: Message) -> bool:
        """Whether a message of the mailbox is an answer."""
        if record.hidden and not self.hidden:
            return False
        return set(self.labels) <= set(record.label_ids) and self.matcher.matches(record, self.node)

    def messages(self, after: Place | None = None) -> Iterator[Message]:
        """The answers beyond a place, newest first, read as they are asked for."""
        return (record for record in self._candidates(after) if self.holds(record))

    def threads(self, after: Place | None = None) -> Iterator[tuple[Message, list[Message]]]:
        """(newest answer, all messages oldest first) of each thread, newest answer first.

        A thread stands where its newest answer stands, so a page that starts in the middle never
        repeats it.
        """
        for record in self.messages(after):
            thread = self.act.all(Message, "thread", f"{self.account}/{record.thread}")
            mine = (record.internal_date, record.id)
            newer = (m for m in thread if (m.internal_date, m.id) > mine)
            if not any(self.holds(m) for m in newer):
                yield record, thread

    def _plan(self) -> _Plan:
        plan = _Plan(labels=list(self.labels))
        for part in query.conjuncts(self.node):
            phrases = self._phrases(part)
            if phrases is not None:
                plan.phrases += phrases
            elif isinstance(part, query.Some):
                plan.choices.append(part)
            elif isinstance(part, query.Term):
                label, span = self.matcher.label(part), self.matcher.bounds(part)
                if label is not None:
                    plan.labels.append(label)
                elif span is not None:
                    plan.narrow(*span)
                elif part.op == "rfc822msgid":
                    plan.letter = f"<{part.value.strip('<>')}>"
        return plan

    def _phrases(self, part: query.Node) -> list[str] | None:
        """Phrases that the text of every answer holds; ``None`` when the part is not about text."""
        match part:
            case query.Text(found):
                return [" ".join(found)]
            case query.Around(left, _, right):
                return [" ".join(left), " ".join(right)]
            case query.Term("has", value) if value.casefold() == "attachment":
                return [ATTACHED]
            case query.Term(op) if op in _TEXTUAL:
                return [" ".join(self.matcher.text_of(part))]
        return None

    def _found(self, part: query.Node) -> set[str] | None:
        """Ids among which every answer is; ``None`` when the text index cannot tell."""
        phrases = self._phrases(part)
        if phrases is not None:
            return self._matching(phrases)
        if isinstance(part, query.Some):
            sets = [self._found(inner) for inner in part.parts]
            known = [found for found in sets if found is not None]
            return set().union(*known) if len(known) == len(sets) else None
        if isinstance(part, query.All):
            known = [found for inner in part.parts if (found := self._found(inner)) is not None]
            return set.intersection(*known) if known else None
        return None

    def _matching(self, phrases: list[str]) -> set[str]:
        if "" in phrases:
            return set()
        return self.act.matching(Message, [owner_token(self.account), *phrases])

    def _candidates(self, after: Place | None) -> Iterator[Message]:
        plan = self._plan()
        if after is not None:
            plan.narrow(None, int(after[0]))
        if "" in plan.labels or (plan.first is not None and plan.last is not None and plan.first > plan.last):
            return
        if plan.letter:
            found = self.act.all(Message, "rfc822", f"{self.account}/{plan.letter}", descending=True)
            yield from (record for record in found if _beyond(record, after))
            return
        known = [ids for part in plan.choices if (ids := self._found(part)) is not None]
        if plan.phrases:
            known.append(self._matching(plan.phrases))
        index, value = self._shelf(plan)
        if known:
            yield from self._among(set.intersection(*known), plan, index, value, after)
            return
        limit, place = _FEW, after
        while True:
            page = self.act.page(
                Message,
                index,
                value,
                limit=limit,
                after=place,
                descending=True,
                low=plan.first,
                high=plan.last,
            )
            yield from page.records
            if page.after is None:
                return
            limit, place = min(2 * limit, 512), page.after

    def _shelf(self, plan: _Plan) -> tuple[str, str]:
        """The shortest index that holds every answer."""
        values = [f"{self.account}/{label}" for label in plan.labels]
        if values:
            return "label", min(values, key=lambda value: self.act.count(Message, "label", value))
        return ("mailbox" if self.hidden else "visible"), self.account

    def _among(
        self, ids: set[str], plan: _Plan, index: str, value: str, after: Place | None
    ) -> Iterator[Message]:
        """The records of some ids, newest first: sorted when few, else in the index's order."""
        if len(ids) <= _FEW:
            records = [record for id in ids if (record := self.act.get(Message, id)) is not None]
            records.sort(key=lambda record: (record.internal_date, record.id), reverse=True)
            yield from (record for record in records if _beyond(record, after))
            return
        ordered = self.act.world.store.ids(
            Message, index, value, descending=True, low=plan.first, high=plan.last
        )
        for id in ordered:
            record = self.act.get(Message, id) if id in ids else None
            if record is not None and _beyond(record, after):
                yield record


def _beyond(record: Message, after: Place | None) -> bool:
    return after is None or (record.internal_date, record.id) < (after[0], after[1])
