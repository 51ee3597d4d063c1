"""What an agent is told, word by word, and what depends on the run and the task."""

from pathlib import Path

from support.operating import CASHBOOK
from tenure.engine.operate.prompt import system_prompt, task_prompt
from tenure.schema.folder import find_operate
from tenure.schema.operate import Account, TaskInput

FOLDER = find_operate(str(CASHBOOK))
ACCOUNT = Account(username="mara", password="till-and-drawer")
GOLDEN = Path(__file__).with_name("prompt.txt")


def test_the_prompt_is_the_golden_one() -> None:
    job = task_prompt(FOLDER.task, FOLDER.instruction, {"cashbook": ACCOUNT})
    assert f"{system_prompt(vision=True, steps=400)}\n---\n\n{job}" == GOLDEN.read_text()


def test_it_says_what_the_model_is_shown_and_how_long_it_has() -> None:
    assert "as a picture with the same numbers" in system_prompt(vision=True, steps=400)
    assert "picture" not in system_prompt(vision=False, steps=400)
    assert "You have 7 turns at most." in system_prompt(vision=True, steps=7)
    assert "turns at most" not in system_prompt(vision=True, steps=None)


def test_it_names_files_and_accounts_where_there_are_any() -> None:
    given = (
        TaskInput(file="receipt.png", type="image", role="the receipt"),
        TaskInput(file="b.pdf", type="pdf"),
    )
    task = FOLDER.task.model_copy(update={"inputs": given})
    told = task_prompt(task, "Do it.", {})
    assert "- cashbook: http://cashbook.localhost\n" in told
    assert "among your files:\n- receipt.png: the receipt\n- b.pdf\n\nDo it.\n" in told
    only = task_prompt(FOLDER.task, "Do it.", {"cashbook": Account(username="", password="p")})
    assert "http://cashbook.localhost (password p)" in only
