# mypy: ignore-errors
"""Runs browser-use once: inside the machine, under browser-use's own Python, not under Tenure's.

Argument: a JSON file that says what to do (see ``browser_use.py``). Every event is a line on stdout: one
``begin``, one ``step`` for each of browser-use's steps, one ``end``.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

# Whatever browser-use prints by itself is no event.
_EVENTS = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
os.dup2(2, 1)

from browser_use import ActionResult, Agent, BrowserSession, ChatOpenAI, Tools  # noqa: E402

BANNED = ["evaluate", "screenshot"]
NEUTRAL = "model"
"""The model's name: browser-use changes its actions, pictures and prompts for some names."""
PATIENCE = 3_600
"""Seconds: the bridge does the waiting for the network."""


class Closed(Tools):
    """browser-use's actions without scripts, and without a way to any address but the apps'."""

    def __init__(self, hosts):
        super().__init__(exclude_actions=BANNED, display_files_in_done_text=False)
        self._hosts = hosts

    def set_coordinate_clicking(self, enabled):
        """Elements are clicked by their numbers, whatever the model."""

    async def act(self, action, *args, **kwargs):
        """Do an action, unless it would lead elsewhere."""
        asked = action.model_dump(exclude_unset=True)
        if asked.get("search") is not None:
            return ActionResult(error="There is no web to search here, only the apps of the job.")
        if asked.get("navigate") is not None and not self._ours(url := asked["navigate"]["url"]):
            known = ", ".join(f"http://{host}" for host in self._hosts)
            return ActionResult(error=f"{url[:200]} cannot be opened; these addresses can: {known}.")
        return await super().act(action, *args, **kwargs)

    def _ours(self, url):
        try:
            parts = urlsplit(url)
            return parts.scheme == "http" and parts.hostname in self._hosts and parts.port in (None, 80)
        except ValueError:
            return False


class Log:
    """Tells what happens."""

    def __init__(self):
        self._seen = ""

    def look(self, state, output, number):
        """Called when the model has answered to a look."""
        self._seen = state.dom_state.llm_representation()

    async def step(self, agent):
        """Called after a step."""
        if not agent.history.history:
            return
        item = agent.history.history[-1]
        thought = (
            item.model_output.model_dump(exclude={"action"}, exclude_none=True) if item.model_output else {}
        )
        acts = item.model_output.action if item.model_output else []
        tell(
            "step",
            url=item.state.url,
            title=item.state.title,
            tabs=[f"{tab.url} - {tab.title}" for tab in item.state.tabs],
            page=self._seen,
            picture=item.state.screenshot_path or "",
            thought={key: str(value) for key, value in thought.items()},
            actions=[one.model_dump(exclude_unset=True) for one in acts],
            results=[{"text": one.extracted_content or "", "error": one.error or ""} for one in item.result],
        )
        self._seen = ""


def tell(kind, **given):
    """Write an event."""
    print(json.dumps({"event": kind, **given}), file=_EVENTS, flush=True)


async def main(job):
    """Work until the agent says that it is done, or its steps are used up."""
    given = Path(job["given"])
    todo = given / job["todo"]
    browser = BrowserSession(
        cdp_url=job["browser"],
        is_local=True,  # Its files are this machine's.
        keep_alive=True,
        allowed_domains=[f"http://{host}" for host in job["hosts"]],
        downloads_path=str(given),
        viewport={"width": job["width"], "height": job["height"]},
        captcha_solver=False,
    )
    llm = ChatOpenAI(
        model=NEUTRAL,
        base_url=job["model"],
        api_key="no-key-is-needed-here",
        temperature=None,  # What is not asked for here is as the run asks for it.
        frequency_penalty=None,
        max_completion_tokens=None,
        reasoning_models=[],
        max_retries=0,
        timeout=PATIENCE,
    )
    tools, log = Closed(job["hosts"]), Log()
    agent = Agent(
        task=job["task"],
        llm=llm,
        browser_session=browser,
        tools=tools,
        extend_system_message=job["rules"],
        use_vision=job["vision"],
        available_file_paths=[str(path) for path in sorted(given.iterdir()) if path != todo],
        file_system_path=job["own"],
        directly_open_url=False,
        use_judge=False,
        calculate_cost=False,
        llm_timeout=PATIENCE,
        step_timeout=2 * PATIENCE,
        enable_signal_handler=False,
        register_new_step_callback=log.look,
    )
    offered = sorted(tools.registry.registry.actions)
    if offered != sorted(job["actions"]):
        raise SystemExit(f"browser-use offers other actions: {offered}")
    await agent.file_system.write_file(job["todo"], todo.read_text("utf-8"))
    agent.save_file_system_state()
    system = agent.message_manager.get_messages()[0].text
    tell("begin", system=system, actions=offered)
    history = await agent.run(max_steps=job["steps"], on_step_end=log.step)
    if agent.state.stopped:
        raise SystemExit("the browser is gone")
    tell("end", done=history.is_done(), success=history.is_successful(), text=history.final_result() or "")


asyncio.run(main(json.loads(Path(sys.argv[1]).read_text("utf-8"))))
