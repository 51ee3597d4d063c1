"""Who builds and with what settings: one record per (agent, model), as protocols, Build 12, want it."""

import json
import os
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from tenure.schema import BadInput
from tenure.workspace import KINDS, MachineSpec
from tenure.workspace.bubblewrap import Bubblewrap
from tenure.workspace.rootfs import image_of, layers_of

ALLOWED_TOOLS = (
    "Bash",
    "Edit",
    "Write",
    "Read",
    "Glob",
    "Grep",
    "LS",
    "WebFetch",
    "NotebookEdit",
    "NotebookRead",
    "TodoRead",
    "TodoWrite",
)
"""The twelve core tools of Claude Code (SaaSBench, Appendix B.3)."""
_WEB = "WebFetch"
NAMED = ("docker", "k8s")
"""Kinds of machines that Inspect opens by name."""
CALL_SECONDS = 900
"""The longest single tool call (protocols, Build 1)."""


class Agent(StrEnum):
    """The agents that build, grow and operate."""

    NATIVE = "native"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    OPENHANDS = "openhands"
    BROWSER_USE = "browser-use"


class Cli(NamedTuple):
    """An agent of others, as ``scripts/agents`` installs it.

    Attributes:
        manifest: File below the agents' folder that says its version.
        key: What holds the version there: a member of a JSON file, or a header of a text file.
        install: How to have it.
        python: The Python that it needs, if it needs one.
    """

    manifest: str
    key: str
    install: str
    python: str = ""


CLIS = {
    Agent.CLAUDE_CODE: Cli("node_modules/@anthropic-ai/claude-code/package.json", "version", "claude-code"),
    Agent.CODEX: Cli("node_modules/@openai/codex/package.json", "version", "codex"),
    Agent.OPENHANDS: Cli(
        "openhands/lib/python*/site-packages/openhands_sdk-*.dist-info/METADATA",
        "Version",
        "openhands",
        "3.12",
    ),
    Agent.BROWSER_USE: Cli(
        "browser-use/lib/python*/site-packages/browser_use-*.dist-info/METADATA",
        "Version",
        "browser-use",
        "3.11",
    ),
}


def agents_folder() -> Path:
    """Where the agents of others lie: ``TENURE_AGENTS``, else below the user's cache."""
    if given := os.environ.get("TENURE_AGENTS"):
        return Path(given).resolve()
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "tenure" / "agents"


def cli_version(agent: Agent) -> str:
    """The version of an agent of others; nothing for the native loop.

    Raises:
        BadInput: It is not installed; the text says how to install it.
    """
    cli = CLIS.get(agent)
    if cli is None:
        return ""
    path = next(iter(sorted(agents_folder().glob(cli.manifest))), None)
    if path is None:
        needs = f" (it needs a Python of {cli.python} or later)" if cli.python else ""
        raise BadInput(
            f"--agent {agent}: it is not in {agents_folder()}; run scripts/agents {cli.install}{needs}"
        )
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        return str(json.loads(text)[cli.key])
    return next(line for line in text.splitlines() if line.startswith(f"{cli.key}: ")).split(": ")[1]


class Sampling(NamedTuple):
    """How a model is sampled.

    Attributes:
        temperature: 0 where it is supported, 1.0 for models that think.
        effort: Reasoning effort that is asked for; ``None`` leaves the vendor's.
        reasoning_tokens: Tokens for thinking, where the vendor takes a number.
        max_tokens: The longest answer, where the default is too short.
    """

    temperature: float
    effort: str | None = None
    reasoning_tokens: int | None = None
    max_tokens: int | None = None


_SAMPLING = (
    ("claude", Sampling(1.0, "high")),
    ("gpt-5.", Sampling(1.0, "xhigh")),
    ("gpt-5", Sampling(1.0, "high")),
    ("gemini", Sampling(0.0, None, 8_192, 65_536)),
    ("kimi", Sampling(1.0)),
    ("qwen", Sampling(1.0)),
    ("deepseek", Sampling(1.0)),
    ("glm", Sampling(1.0)),
    ("minimax", Sampling(1.0)),
)
"""Part of a model's name → its sampling (SaaSBench, Appendix B.3); the first that fits."""


def sampling_of(model: str) -> Sampling:
    """The sampling of a model by ``provider/name``."""
    name = model.lower()
    return next((sampling for part, sampling in _SAMPLING if part in name), Sampling(0.0))


def flags_of(agent: Agent, *, web: bool = True) -> tuple[str, ...]:
    """The flags that decide how an agent's command line works, prompt and model left out.

    Args:
        agent: Who works.
        web: Whether a tool may be offered that reads web pages.
    """
    if agent is Agent.CLAUDE_CODE:
        allowed = ",".join(tool for tool in ALLOWED_TOOLS if web or tool != _WEB)
        modes = ("--print", "--output-format", "stream-json", "--verbose")
        return (
            *modes,
            "--permission-mode",
            "bypassPermissions",
            "--allowedTools",
            allowed,
            "--tools",
            allowed,
        )
    if agent is Agent.CODEX:
        return ("exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox")
    return ()


_TOOLS = {
    Agent.NATIVE: ("bash", "write_file"),
    Agent.CLAUDE_CODE: ALLOWED_TOOLS,
    Agent.CODEX: ("the command line's own",),
    Agent.OPENHANDS: ("terminal", "file_editor", "task_tracker"),
}


def settings_of(
    agent: Agent, version: str, sampling: Sampling, tools: Sequence[str] = (), *, web: bool = True
) -> dict[str, Any]:
    """The settings record of an agent and a model.

    Args:
        agent: Who works.
        version: Of its command line, where it has one.
        sampling: How its model is asked.
        tools: What a native loop offers, where that is not what it offers in a build.
        web: Whether a tool may be offered that reads web pages.
    """
    offered = tools if tools and agent is Agent.NATIVE else _TOOLS[agent]
    return {
        "agent": agent,
        "agent_version": version or "tenure's own",
        "tools": [tool for tool in offered if web or tool != _WEB],
        "flags": list(flags_of(agent, web=web)),
        "tool_call_seconds": CALL_SECONDS,
        **sampling._asdict(),
    }


def machine_of(kind: str | None, packages: Iterable[str]) -> dict[str, str]:
    """The machines' kind, the usual one without a name, and what their files are.

    Args:
        kind: A kind, or nothing.
        packages: The distributions of all tasks of the run.

    Raises:
        BadInput: The kind is unknown.
    """
    if kind is not None and kind not in (*KINDS, *NAMED):
        raise BadInput(f"--sandbox {kind}: unknown; choose one of {', '.join((*KINDS, *NAMED))}")
    kind = kind or ("process" if Bubblewrap.missing() else "bubblewrap")
    if kind == "process":
        return {"sandbox": kind, "image": "host"}
    return {
        "sandbox": kind,
        "image": image_of(*layers_of(MachineSpec(packages=tuple(sorted(set(packages)))))),
    }
