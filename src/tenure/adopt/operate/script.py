"""A released ``verify.py``, read without running it: the checks that its source names (formats §5.2).

A call ``check("7. Total is right", 2, …)`` tells a check's id, words and weight. Labels that the script
computes are seen by a dry run alone.
"""

import ast
import math
import re
from collections.abc import Collection
from dataclasses import dataclass

from tenure.adopt.anomaly import Findings
from tenure.schema.errors import BadInput
from tenure.schema.operate import CheckKind, OperateCheck, released_check, released_variable
from tenure.schema.sites import sites

_VARIABLE = re.compile(r"^[A-Z][A-Z_]*_(?:PORT|CONTAINER|PASSWORD)$")
_MODEL = "MINDRA_"
"""How the variables of the released judge begin."""
UNDECLARED = ("requests",)
"""What verifiers import and the release does not declare."""


@dataclass(frozen=True)
class Script:
    """What a verifier's source says.

    Attributes:
        checks: In the order of the source, those with literal labels.
        computed: Whether some labels are computed.
        judged: Whether it asks a model.
        variables: The variables of apps that it reads.
        imports: Modules beyond the standard library that it needs.
    """

    checks: tuple[OperateCheck, ...]
    computed: bool
    judged: bool
    variables: frozenset[str]
    imports: tuple[str, ...]


def read_script(source: str, task: str, apps: tuple[str, ...], found: Findings) -> Script:
    """Read a verifier.

    Args:
        source: The file.
        task: The task's id, for anomalies.
        apps: The task's sites.
        found: Takes what is odd.

    Raises:
        BadInput: It is no Python.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise BadInput(f"verify.py: is no Python ({error})") from error
    askers = _askers(tree)
    judged = _judged(tree, askers)
    labels: dict[str, list[tuple[str, float]]] = {}
    computed = 0
    for call in _checks_of(tree):
        told = _literal(call)
        if told is None:
            computed += 1
            continue
        id, says = released_check(told[0])
        if says == told[0].strip():
            found.changed("label_without_number", task, says, "its words are its id")
        if not 0 < told[1] < math.inf:
            found.lost("no_points", f"{task} check {id}", f"{told[1]:g} points", "left out")
            continue
        labels.setdefault(id, []).append((says, told[1]))
    if computed:
        found.changed("labels_computed", task, f"{computed} calls", "their checks come from a dry run")
    checks = tuple(_check(id, told, id in judged, task, found) for id, told in labels.items())
    if lines := _early_exits(tree):
        found.note("may_stop_early", task, f"line {lines[0]} ends it before its score", "the rest is not_run")
    imports = _imports(tree)
    for name in imports:
        found.note("undeclared_import", task, name, "there in the sandbox")
    read = _read(tree)
    _compare(read, task, apps, found)
    return Script(checks, bool(computed), bool(askers), read, imports)


def _check(id: str, told: list[tuple[str, float]], judged: bool, task: str, found: Findings) -> OperateCheck:
    labels = list(dict.fromkeys(label for label, _ in told))
    weights = sorted({weight for _, weight in told})
    if len(labels) > 1:
        found.note("label_varies", f"{task} check {id}", " | ".join(labels), "matched by its number")
    if len(weights) > 1:
        found.changed("points_vary", f"{task} check {id}", weights, "the greatest")
    return OperateCheck(
        id=id,
        says=labels[0],
        weight=weights[-1],
        kind=CheckKind.JUDGED if judged else CheckKind.SCRIPT,
    )


def _compare(read: frozenset[str], task: str, apps: tuple[str, ...], found: Findings) -> None:
    """What the script reads against what it is given."""
    given: set[str] = set()
    for app in apps:
        site, name = sites().get(app), released_variable(app)
        own = {f"{name}_PORT", f"{name}_CONTAINER", f"{name}_DB_CONTAINER"}
        if not own & read:
            found.note("app_unused", task, f"the verifier never looks into {app}")
        given |= own if site and site.database_suffix is not None else own - {f"{name}_DB_CONTAINER"}
        if site and site.database_told is not None and f"{name}_DB_CONTAINER" in read:
            found.changed(
                "database_container",
                task,
                f"{name}_DB_CONTAINER names the app's own container, which holds no database",
                f"the container with {site.database_suffix}; its data is not the image's",
            )
    stems = tuple(f"{released_variable(app)}_" for app in apps)
    for name in sorted(name for name in read - given if name.startswith(stems)):
        found.note("variable_not_given", task, name, "the script's own fallback")
    if {"baserow", "siyuan"} <= set(apps):
        found.changed("port_collision", task, "baserow's database and siyuan share a port", "ports of ours")


def _read(tree: ast.Module) -> frozenset[str]:
    """Variables whose value goes into what the script does; to read one and leave it is not enough."""
    waiting = {_target(node): node for node in tree.body if _target(node)}
    live = [node for node in tree.body if not _target(node)]
    names: set[str] = set()
    while live:
        node = live.pop()
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in waiting:
                live.append(waiting.pop(part.id))
            elif isinstance(part, ast.Call | ast.Subscript):
                asked = part.args if isinstance(part, ast.Call) else [part.slice]
                names |= {name for one in asked if (name := _variable(one))}
    return frozenset(names)


def _target(node: ast.stmt) -> str:
    """The name that a definition or a plain assignment at the top of the script sets."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""


def _variable(node: ast.expr) -> str:
    """The variable of an app that a constant names; nothing where it names none."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) and _VARIABLE.match(value) else ""


def _checks_of(tree: ast.AST) -> list[ast.Call]:
    """Calls of ``check`` in the source's order."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    found = [call for call in calls if _named(call) == "check" and len(call.args) > 1]
    return sorted(found, key=lambda call: (call.lineno, call.col_offset))


def _named(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _literal(call: ast.Call) -> tuple[str, float] | None:
    label, weight = call.args[0], call.args[1]
    if not (isinstance(label, ast.Constant) and isinstance(label.value, str)):
        return None
    if not (isinstance(weight, ast.Constant) and isinstance(weight.value, int | float)):
        return None
    # Half of a surrogate pair, which a literal may hold, can be neither printed nor written.
    text = label.value.encode("utf-8", "replace").decode()
    try:
        return text, float(weight.value)
    except OverflowError:
        return text, math.inf


def _askers(tree: ast.AST) -> frozenset[str]:
    """Functions that ask a model: they hold its address, or call one that does, and print no check."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    helpers = [function for function in functions if not _checks_of(function)]
    found = {f.name for f in helpers if any(_names_model(part) for part in ast.walk(f))}
    while more := {f.name for f in helpers if f.name not in found and _calls_any(f, found)}:
        found |= more
    return frozenset(found)


def _names_model(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(_MODEL)


def _calls_any(node: ast.AST, names: Collection[str]) -> bool:
    return any(isinstance(part, ast.Call) and _named(part) in names for part in ast.walk(node))


def _judged(tree: ast.AST, askers: Collection[str]) -> set[str]:
    """Ids of the checks that share their innermost ``try`` or function with a question to a model."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found: set[str] = set()
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and _named(node) in askers):
            continue
        above: ast.AST | None = parents.get(node)
        while above is not None and not isinstance(above, ast.Module):
            if isinstance(above, ast.Try | ast.FunctionDef) and (ids := _ids_below(above)):
                found |= ids
                break
            above = parents.get(above)
    return found


def _ids_below(node: ast.AST) -> set[str]:
    return {released_check(label[0])[0] for call in _checks_of(node) if (label := _literal(call))}


def _early_exits(tree: ast.AST) -> list[int]:
    """Lines that end the script within the function that prints its score, before it does."""
    found: list[int] = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            parts = list(ast.walk(function))
            scores = [part.lineno for part in parts if isinstance(part, ast.Constant) and _is_score(part)]
            exits = [part.lineno for part in parts if isinstance(part, ast.Call) and _is_exit(part)]
            found += [line for line in exits if scores and line < min(scores)]
    return sorted(found)


def _is_score(one: ast.Constant) -> bool:
    return isinstance(one.value, str) and one.value.startswith("SCORE:")


def _is_exit(call: ast.Call) -> bool:
    return ast.unparse(call.func) in ("sys.exit", "exit", "quit", "os._exit")


def _imports(tree: ast.AST) -> tuple[str, ...]:
    names = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    return tuple(name for name in UNDECLARED if name in names)
