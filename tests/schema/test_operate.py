import pytest

from tenure.schema import BadInput
from tenure.schema.folder import find_build, find_folder, find_operate
from tenure.schema.operate import OperateDomain, Track

TOML = """suite = "operate"
name = "bill"
title = "Bill the jar"
version = "1-0"
canary = "cccccccccccccccccccccccccccccccc"
domain = "business"
track = "multimodal"
apps = ["books", "mail"]

[credentials.books]
username = "ada"
password = "plum-7"

[[inputs]]
file = "receipt.png"
type = "image"
role = "receipt"

[[checks]]
id = "total"
says = "The invoice is right"
weight = 3
app = "books"

[[checks]]
id = "kept"
says = "Other invoices are as they were"
guard = true
"""


@pytest.fixture
def folder(tmp_path):
    def make(old="", new="", without=""):
        assert old in TOML
        (tmp_path / "inputs").mkdir(exist_ok=True)
        for name, text in (
            ("task.toml", TOML.replace(old, new, 1) if old else TOML),
            ("instruction.md", "\nBill the jar.\n"),
            ("checks.py", "checks = None\n"),
            ("inputs/receipt.png", "png"),
        ):
            if name != without:
                (tmp_path / name).write_text(text)
        return str(tmp_path)

    return make


def test_a_folder_is_read(folder):
    found = find_operate(folder())
    task = found.task
    assert (task.id, task.domain, task.track) == ("operate/bill", OperateDomain.BUSINESS, Track.MULTIMODAL)
    assert [(c.id, c.weight, c.guard) for c in task.checks] == [("total", 3, False), ("kept", 1, True)]
    assert found.instruction == "Bill the jar." and len(found.hash) == 64


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('version = "1-0"', 'version = "1"', "version '1' must look like 1-0"),
        ('apps = ["books", "mail"]', 'apps = ["books", "books"]', "apps: a name is given twice"),
        ('apps = ["books", "mail"]', 'apps = ["mail"]', "books is used and not listed"),
        ('id = "kept"', 'id = "total"', "checks: a name is given twice"),
        ("weight = 3", "guard = true", "at least one must need new work"),
        ("weight = 3", "weight = 0", "greater than 0"),
        ("guard = true", 'guard = true\nkind = "judged"', "a guard cannot be judged"),
        ('track = "multimodal"', "", "a task with inputs is multimodal"),
        ('domain = "business"', 'domain = "astrology"', "domain"),
        ('name = "bill"', 'name = "../bill"', "name: String should match"),
        ('file = "receipt.png"', 'file = "../task.toml"', "must be the path of a file below inputs/"),
        ('file = "receipt.png"', 'file = "/etc/hostname"', "must be the path of a file below inputs/"),
        ('title = "Bill the jar"', 'title = "Bill"\ncolour = "red"', "colour"),
    ],
)
def test_a_broken_declaration_is_said(folder, old, new, message):
    with pytest.raises(BadInput, match=message):
        find_operate(folder(old, new))


@pytest.mark.parametrize("name", ["instruction.md", "checks.py", "inputs/receipt.png"])
def test_every_file_must_be_there(folder, name):
    with pytest.raises(BadInput, match=f"has no {name}"):
        find_operate(folder(without=name))


def test_a_released_verifier_stands_for_checks(folder, tmp_path):
    path = folder('version = "1-0"', 'version = "1-0"\nverifier = "verify.py"', "checks.py")
    with pytest.raises(BadInput, match=r"has no verify\.py"):
        find_operate(path)
    (tmp_path / "verify.py").write_text("")
    assert find_operate(path).task.verifier == "verify.py"


def test_a_folder_is_found_as_what_it_is(folder):
    assert find_folder(folder()).task.suite == "operate"
    with pytest.raises(BadInput, match="of the operate suite, which this does not take"):
        find_build(folder())
