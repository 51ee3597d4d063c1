"""The coding command lines: what each needs in the machine, and how it is called.

All of them work without a person, with their own sandboxes and permission prompts off: the machine
isolates. Their only way out is the model bridge on a loopback port inside.
"""

import json
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from tenure.engine.build.settings import CALL_SECONDS, Agent, agents_folder, cli_version, flags_of
from tenure.oracle.build import APP
from tenure.workspace import MachineSpec
from tenure.workspace.machine import HOME
from tenure.workspace.packages import interpreter_binds

INSIDE = "/opt/agent"
"""Where the command line's files are seen in the machine."""
PORT = 13_131
_KEY = "no-key-is-needed-here"
_PATIENCE_MS = 3_600_000
"""How long a command line waits for the bridge, which does the waiting for the network."""


class Line(NamedTuple):
    """One command line.

    Attributes:
        binds: (folder below the agents' folder, path inside): the files that it needs.
        program: Its path below ``INSIDE``.
        arguments: From the model's name and the prompt.
        environment: From the model's name.
        files: Path → text, written before it starts, from the model's name.
        path: Folders inside that come first in PATH.
    """

    binds: Sequence[tuple[str, str]]
    program: str
    arguments: Callable[[str, str], list[str]]
    environment: Callable[[str], dict[str, str]]
    files: Callable[[str], dict[str, str]] = lambda model: {}
    path: tuple[str, ...] = ()

    def command(self, model: str, prompt: str) -> list[str]:
        """The whole command."""
        return [f"{INSIDE}/{self.program}", *self.arguments(model, prompt)]


def _claude_environment(model: str) -> dict[str, str]:
    names = ("MODEL", "SMALL_FAST_MODEL", "DEFAULT_OPUS_MODEL", "DEFAULT_SONNET_MODEL", "DEFAULT_HAIKU_MODEL")
    switches = (
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS",
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
        "DISABLE_TELEMETRY",
        "DISABLE_AUTOUPDATER",
        "DISABLE_ERROR_REPORTING",
        "IS_SANDBOX",
    )
    return {
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{PORT}",
        "ANTHROPIC_API_KEY": _KEY,
        **{f"ANTHROPIC_{name}": model for name in names},
        "CLAUDE_CODE_SUBAGENT_MODEL": model,
        **dict.fromkeys(switches, "1"),
        "API_TIMEOUT_MS": str(_PATIENCE_MS),
        "BASH_MAX_TIMEOUT_MS": str(CALL_SECONDS * 1000),
    }


def _codex_files(model: str) -> dict[str, str]:
    settings = {
        "model": model,
        "model_provider": "bridge",
        "web_search": "disabled",
        "analytics.enabled": False,
        "model_providers.bridge.name": "bridge",
        "model_providers.bridge.base_url": f"http://127.0.0.1:{PORT}/v1",
        "model_providers.bridge.env_key": "BRIDGE_KEY",
        "model_providers.bridge.wire_api": "responses",
        "model_providers.bridge.request_max_retries": 0,
        "model_providers.bridge.stream_max_retries": 0,
        "model_providers.bridge.stream_idle_timeout_ms": _PATIENCE_MS,
    }
    # TOML's values of these kinds are JSON's.
    return {f"{HOME}/.codex/config.toml": "".join(f"{k} = {json.dumps(v)}\n" for k, v in settings.items())}


_DRIVER = f"{HOME}/.openhands/drive.py"


def _openhands_files(model: str) -> dict[str, str]:
    return {_DRIVER: files(__package__).joinpath("openhands_driver.py").read_text("utf-8")}


LINES = {
    Agent.CLAUDE_CODE: Line(
        binds=[("node_modules/@anthropic-ai/claude-code-linux-*", INSIDE)],
        program="claude",
        arguments=lambda model, prompt: [
            *flags_of(Agent.CLAUDE_CODE),
            *("--model", model, "--add-dir", str(APP), "--", prompt),
        ],
        environment=_claude_environment,
    ),
    Agent.CODEX: Line(
        binds=[("node_modules/@openai/codex-linux-*/vendor/*", INSIDE)],
        program="bin/codex",
        arguments=lambda model, prompt: [*flags_of(Agent.CODEX), "-C", str(APP), "--", prompt],
        environment=lambda model: {"CODEX_HOME": f"{HOME}/.codex", "BRIDGE_KEY": _KEY, "RUST_LOG": "warn"},
        files=_codex_files,
        path=(f"{INSIDE}/codex-path",),
    ),
    Agent.OPENHANDS: Line(
        binds=[("openhands", INSIDE)],
        program="bin/python",
        # -E: the task's packages are for the agent's Python, not for this one.
        arguments=lambda model, prompt: ["-E", _DRIVER, model, f"http://127.0.0.1:{PORT}/v1", prompt],
        environment=lambda model: {
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "OPENHANDS_SUPPRESS_BANNER": "1",
        },
        files=_openhands_files,
    ),
}


def machine_for(agent: Agent | None) -> MachineSpec:
    """What an agent needs to see in its machine.

    Raises:
        BadInput: Its command line is not installed.
    """
    if agent is None or agent not in LINES:
        return MachineSpec()
    cli_version(agent)
    line = LINES[agent]
    binds = [(next(iter(sorted(agents_folder().glob(there)))), inside) for there, inside in line.binds]
    if agent is Agent.OPENHANDS:
        binds += interpreter_of(binds[0][0])
    return MachineSpec(binds=tuple(binds), path=line.path)


def interpreter_of(environment: Path) -> list[tuple[Path, str]]:
    """What an environment of Python needs in a machine beside itself.

    Args:
        environment: Its folder.
    """
    # Its interpreter is a link into the Python that it was made with.
    return interpreter_binds(Path(environment, "bin", "python").resolve().parent.parent)


def presented(model: str) -> str:
    """The name that a command line is given for a model: its own, without the provider."""
    return model.rpartition("/")[2]
