"""Parsing the ``q`` parameter: words, phrases, operators, AND, OR, groups, negation, AROUND."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tenure.twins.gmail.text import words

OPERATORS = frozenset(
    ("after", "bcc", "before", "category", "cc", "deliveredto", "filename", "from", "has", "in")
)
OPERATORS |= {"is", "label", "larger", "list", "newer", "newer_than", "older", "older_than", "rfc822msgid"}
OPERATORS |= {"size", "smaller", "subject", "to"}
_TOKEN = re.compile(
    r"""\s*(?:
      (?P<mark>[(){}])
    | (?P<sign>[-+])(?=[^\s)}])
    | (?P<op>[A-Za-z_0-9]+):
    | "(?P<phrase>[^"]*)(?:"|$)
    | (?P<word>[^\s(){}"]+)
    )""",
    re.VERBOSE,
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
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            at += 1
            continue
        kind = str(match.lastgroup)
        text = match[kind]
        at = match.end()
        if kind == "op" and text.lower() not in OPERATORS:
            rest = _VALUE.match(source, at)
            kind, text, at = "word", source[match.start("op") : rest.end()] if rest else text, at
            at = rest.end() if rest else at
        elif kind == "op":
            tokens.append(_Token("op", text.lower()))
            if source[at : at + 1] in "({" and at < len(source):
                continue
            value = _VALUE.match(source, at)
            tokens.append(_Token("value", (value[1] or value[2] or "") if value else ""))
            at = value.end() if value else at
            continue
        tokens.append(_Token(kind, text))
    return tokens


class _Parser:
    def __init__(self, tokens: Sequence[_Token]) -> None:
        self.tokens, self.at = tokens, 0

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
            following = self.take()
            if following.kind == "value":
                return Term(token.text, following.text) if following.text else None
            inner = _group(following.text, self.sequence(")" if following.text == "(" else "}"))
            return None if inner is None else _scoped(token.text, inner)
        return Text(found) if (found := tuple(words(token.text))) else None


def _group(mark: str, parts: list[Node]) -> Node | None:
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    return Some(tuple(parts)) if mark == "{" else All(tuple(parts))


def _scoped(op: str, node: Node) -> Node:
    """``subject:(a OR b)`` as ``subject:a OR subject:b``."""
    if isinstance(node, Text):
        return Term(op, " ".join(node.words))
    if isinstance(node, Not):
        return Not(_scoped(op, node.part))
    if isinstance(node, All | Some):
        return type(node)(tuple(_scoped(op, part) for part in node.parts))
    return node


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
