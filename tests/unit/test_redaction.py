"""A session's bytes without secrets: JSON stays JSON, damage stays damage, all else is kept."""

from __future__ import annotations

import json

import pytest

from ink_tui.model.redaction import HOME_FOLDER, Redaction
from tests.cases import CASES_DIR, REAL_DIR
from tests.secret_samples import samples
from tests.sessions import simple

SECRET = next(sample.text for sample in samples() if sample.kind == "github-token")
MARK = "[redacted: github-token]"
VALUE = "k7Qw3Zp9mT4xVb2L"


def redacted(line: str | bytes, home: str | None = None) -> str:
    data = line if isinstance(line, bytes) else line.encode()
    return Redaction(home).file(data).data.decode("utf-8", "surrogateescape")


def test_a_file_without_secrets_is_the_same_bytes() -> None:
    for path in (*REAL_DIR.glob("*.jsonl"), *CASES_DIR.glob("*/session.jsonl")):
        data = path.read_bytes()
        found = Redaction().file(data)
        assert found.data == data, path
        assert found.counts == {}


def test_keys_values_and_items_are_all_strings() -> None:
    record = {f"a {SECRET}": [SECRET, {"b": f"x\n{SECRET}\ty"}], "n": 1.5e3, "t": True}
    found = Redaction().file(json.dumps(record).encode())
    assert json.loads(found.data) == {
        f"a {MARK}": [MARK, {"b": f"x\n{MARK}\ty"}],
        "n": 1.5e3,
        "t": True,
    }
    assert found.counts == {"github-token": 3}


def test_escapes_hide_nothing() -> None:
    hidden = "".join(f"\\u{ord(char):04x}" for char in SECRET)
    assert redacted(f'{{"a":"{hidden}"}}') == f'{{"a":"{MARK}"}}'
    home = "\\/home\\/u\\/x"
    assert redacted(f'{{"a":"{home}"}}', "/home/u") == '{"a":"~/x"}'


def test_a_name_makes_its_value_a_secret() -> None:
    assert json.loads(redacted(f'{{"apiKey":"{VALUE}","id":"{VALUE}"}}')) == {
        "apiKey": "[redacted: secret-value]",
        "id": VALUE,
    }
    assert VALUE not in redacted(f'{{"passwords": ["{VALUE}", "{VALUE}"]}}')


@pytest.mark.parametrize(
    "line",
    [
        f'{{"type":"message","text":"{SECRET}',
        f'{{"type":"message","text":"{SECRET}\\',
        f'{{"type":"message","text":"{SECRET}\\\\\\u00',
        f'{{"type":"message","text":"{SECRET}\\\\u00',
        f'pe":"x","text":"{SECRET}"}}',
        f'" {SECRET} "',
        f"no JSON at all {SECRET}",
        f'{{"a":"x"}}{{"b":"{SECRET}"}}',
        f'\x00\x00{{"b":"{SECRET}"}}',
    ],
)
def test_damaged_lines(line: str) -> None:
    assert redacted(line) == line.replace(SECRET, MARK)


@pytest.mark.parametrize(
    "line",
    [
        f'const token = "{VALUE}" is no JSON',
        f'"text":"cut in a text{{"type":"message","text":"const token = \\"{VALUE}\\""}}',
        f'{{"type":"message","text":"password=\\"{VALUE}',
    ],
)
def test_a_name_and_its_value_are_parted_by_a_quote_on_a_damaged_line(line: str) -> None:
    assert redacted(line) == line.replace(VALUE, "[redacted: secret-value]")


def test_bytes_that_are_not_text_are_kept() -> None:
    line = b'{"a":"\xff\xfe ' + SECRET.encode() + b'","b":"\\ud83d","c":"\xe2\x80\xa8"}'
    assert Redaction().file(line).data == line.replace(SECRET.encode(), MARK.encode())
    half = b'{"a":"\\ud83d ' + SECRET.encode() + b'"}'
    assert Redaction().file(half).data == half.replace(SECRET.encode(), MARK.encode())


def test_the_home_folder_becomes_short_where_it_is_one() -> None:
    redaction = Redaction("/home/u/")
    assert redaction.text("cd /home/u && ls /home/u/x '/home/u'") == "cd ~ && ls ~/x '~'"
    assert redaction.counts == {HOME_FOLDER: 3}
    for other in ("/home/user/x", "/srv/home/u/x", "/home/u2", "/home/u-x", "/home/u.bak"):
        assert redaction.text(other) == other
    assert Redaction("/").text("/ and /etc") == "/ and /etc"


def test_a_session_is_still_readable() -> None:
    data = simple().replace(b"list files", f"list {SECRET}".encode())
    lines = redacted(data).splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["session", *["message"] * 4]
    assert lines[0] == data.decode().splitlines()[0]


def test_a_key_over_several_broken_lines() -> None:
    key = next(sample for sample in samples() if sample.kind == "private-key")
    found = redacted(f'{{"a":"{key.text}"}}\n{key.text}\n{{"b":1}}\n')
    assert key.core not in found
    assert found.endswith('\n[redacted: private-key]\n{"b":1}\n')
