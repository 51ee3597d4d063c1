"""Parsing the ``q`` parameter: words, phrases, operators, AND, OR, groups, negation, AROUND."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tenure.twins.gmail.text import words

_OPERATORS = "after|bcc|before|category|cc|deliveredto|filename|from|has|in|is|label|larger|list|newer"
_OPERATORS += "|newer_than|older|older_than|rfc822msgid|size|smaller|subject|to"
_TOKEN = re.compile(
    rf"""\s*(?:
      (?P<mark>[(){{}}])
    | (?P<sign>[-+])(?=[^\s)}}])
    | (?P<op>{_OPERATORS}):\s*
    | "(?P<phrase>[^"]*)(?:"|$)
    | (?P<word>[^\s(){{}}"]+)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_VALUE = re.compile(r'"([^"]*)(?:"|$)|([^\s(){}"]*)')


class Text(NamedTuple):
    """Words in a row, anywhere in a message."""

    words: tuple[str, ...]


class Term(NamedTuple):
    """An operator with its value."""

    op: str
    value: str


class Around(NamedTuple):
    """Two texts at most so many words apart."""

    left: tuple[str, ...]
    distance: int
    right: tuple[str, ...]


class All(NamedTuple):
    """Every part holds; without parts, always."""

    parts: tuple["Node", ...]


class Some(NamedTuple):
    """At least one part holds."""

    parts: tuple["Node", ...]


class Not(NamedTuple):
    """The part does not hold."""

    part: "Node"


Node = Text | Term | Around | All | Some | Not
EVERYTHING = All(())


class _Token(NamedTuple):
    kind: str
    text: str


def _lex(source: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while match := _TOKEN.match(source, at):
        kind, at = str(match.lastgroup), match.end()
        tokens.append(_Token(kind, match[kind]))
        if kind != "op" or source[at : at + 1] in ("(", "{"):
            continue
        if value := _VALUE.match(source, at):
            tokens.append(_Token("value", value[1] or value[2] or ""))
            at = value.end()
    return tokens


class _Parser:
    def __init__(self, tokens: Sequence[_Token]) -> None:
        self.tokens, self.at = tokens, 0
        self.scope = ""
        """The operator whose group is being read: ``subject:(a OR b)``."""

    def peek(self) -> _Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _Token("end", "")

    def take(self) -> _Token:
        token = self.peek()
        self.at += 1
        return token

    def sequence(self, end: str) -> list[Node]:
        """Parts up to a closing mark or the end; OR binds tighter than their conjunction."""
        parts: list[Node] = []
        pending = False
        while (token := self.peek()).kind != "end" and token != _Token("mark", end):
            if token in (_Token("word", "OR"), _Token("word", "|")):
                self.take()
                pending = bool(parts)
                continue
            if token == _Token("word", "AND"):
                self.take()
                continue
            node = self.unary()
            if node is None:
                continue
            if pending:
                left = parts.pop()
                parts.append(Some((*left.parts, node)) if isinstance(left, Some) else Some((left, node)))
                pending = False
            else:
                parts.append(node)
        if self.peek().kind != "end":
            self.take()
        return parts

    def unary(self) -> Node | None:
        token = self.peek()
        if token.kind == "sign":
            self.take()
            inner = self.unary()
            return Not(inner) if inner is not None and token.text == "-" else inner
        left = self.atom()
        around = self.peek()
        if isinstance(left, Text) and around == _Token("word", "AROUND"):
            self.take()
            distance = self.take()
            right = self.atom()
            if distance.text.isdecimal() and isinstance(right, Text):
                return Around(left.words, int(distance.text), right.words)
        return left

    def atom(self) -> Node | None:
        token = self.take()
        if token.kind == "mark" and token.text in "({":
            return _group(token.text, self.sequence(")" if token.text == "(" else "}"))
        if token.kind == "op":
            op = token.text.lower()
            if self.peek().kind == "value":
                value = self.take().text
                return Term(op, value) if value else None
            outer, self.scope = self.scope, op
            node = self.atom()
            self.scope = outer
            return node
        if self.scope:
            return Term(self.scope, token.text) if words(token.text) else None
        return Text(found) if (found := tuple(words(token.text))) else None


def _group(mark: str, parts: list[Node]) -> Node | None:
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    return Some(tuple(parts)) if mark == "{" else All(tuple(parts))


def parse(source: str) -> Node:
    """A query as a tree. Every text has a reading: what is malformed is read as words."""
    parser = _Parser(_lex(source))
    parts: list[Node] = []
    while parser.peek().kind != "end":
        parts += parser.sequence("")
        if parser.peek().kind == "mark":
            parser.take()
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def conjuncts(node: Node) -> list[Node]:
    """The parts that must all hold."""
    if isinstance(node, All):
        return [inner for part in node.parts for inner in conjuncts(part)]
    return [node]


def terms(node: Node) -> list[Term]:
    """Every operator that occurs outside a negation."""
    if isinstance(node, Term):
        return [node]
    if isinstance(node, All | Some):
        return [term for part in node.parts for term in terms(part)]
    return []
