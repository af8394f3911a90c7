"""What Node says to some texts.

`python -m tests.reliability.node_verdicts` asks Node and writes `node_verdicts.jsonl`, which is
kept in the repository, so that the tests need no Node.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

RECORDED = Path(__file__).parent / "node_verdicts.jsonl"

_PROGRAM = """
const lines = require("fs").readFileSync(0, "utf8").split("\\n").filter(Boolean)
for (const line of lines) {
  const [name, hex] = JSON.parse(line)
  let accepts = true
  try { JSON.parse(Buffer.from(hex, "hex").toString("utf8")) } catch { accepts = false }
  console.log(JSON.stringify({ name, accepts }))
}
"""


def texts() -> dict[str, bytes]:
    """Return the texts by name; the rules they try are those of `trust.md` 2.4."""
    found: dict[str, bytes] = {}

    def add(name: str, *contents: bytes) -> None:
        for number, content in enumerate(contents):
            found[f"{name} {number}"] = content

    add("word", b"null", b"true", b"false", b"NULL", b"True", b"nul", b"nulll", b"undefined")
    add(
        "no number", b"NaN", b"-NaN", b"Infinity", b"-Infinity", b"[NaN]", b'{"a":Infinity}', b"nan"
    )
    add("number", b"0", b"-0", b"1", b"-1", b"0.5", b"1e5", b"1E+5", b"1e-5", b"-1.25e10")
    add("bad number", b"01", b"-01", b"1.", b".5", b"+1", b"--1", b"1e", b"1e+", b"0x10", b"1_000")
    add("bad number more", b"-", b"- 1", b"1.e5", b"0b1", b"1n", b"00", b"-00", b"1.2.3", b"1e5.5")
    add("large", b"1e308", b"1e309", b"1e400", b"-1e400", b"1e99999", b"1e-400", b"[1e400,-1e400]")
    digits = (b"9" * 20, b"9" * 309, b"9" * 4_300, b"9" * 4_301, b"9" * 5_000, b"-" + b"9" * 5_000)
    add("digits", *digits, b"0." + b"1" * 5_000, b"18446744073709551616", b"9007199254740993")
    add("string", b'""', b'"a"', b'"\\n"', b'"\\u0041"', b'"\\/"', b'"\\b\\f\\r\\t"', b'"\\""')
    add("bad string", b'"', b'"a', b"'a'", b'"\\x41"', b'"\\u12"', b'"\\u12G4"', b'"\\"', b'"\\a"')
    add("surrogate", b'"\\ud83d"', b'"\\ude00"', b'"\\ud83d\\ude00"', b'"\\ude00\\ud83d"')
    add(
        "surrogate more",
        b'"\\ud83dx"',
        b'"\\uD83D\\u0041"',
        b'{"\\ud83d":1}',
        b'["\\udfff\\udfff"]',
    )
    add("surrogate upper", b'"\\uDBFF\\uDFFF"', b'"\\u00"', b'"\\ud83d\\u"', b'"\\ud83d\\"')
    for code in range(0x20):
        add(f"control {code:02x}", b'"' + bytes([code]) + b'"')
        add(f"control before {code:02x}", bytes([code]) + b"1")
    add("delete", b'"\x7f"', b"\x7f1", b'"\xc2\x80"', b'"\xc2\x9b"', b"\xc2\x9b1")
    add(
        "blank",
        b" 1",
        b"1 ",
        b"\t\r\n 1\t\r\n ",
        b"\xc2\xa01",
        b"\xe2\x80\xa81",
        b"1\xe3\x80\x80",
        b"",
    )
    add("separator in text", b'"\xe2\x80\xa8"', b'"\xe2\x80\xa9"', b'"\xc2\x85"', b'"\xef\xbb\xbf"')
    mark = b"\xef\xbb\xbf"
    add("byte order mark", mark + b"{}", mark, b"{}" + mark, mark * 2 + b"1", b" " + mark + b"1")
    for byte in (0x80, 0xBF, 0xC0, 0xC1, 0xC3, 0xE2, 0xED, 0xF0, 0xF5, 0xFE, 0xFF):
        add(f"byte {byte:02x}", b'"' + bytes([byte]) + b'"', bytes([byte]), b"{}" + bytes([byte]))
        add(f"byte in a name {byte:02x}", b'{"' + bytes([byte]) + b'":1}')
    add("cut character", b'"\xe5\xb7"', b'"\xf0\x9f\x98"', b'"\xe5\xb7', b'"\xed\xa0\x80"')
    add(
        "long form",
        b'"\xc0\xaf"',
        b'"\xe0\x80\xaf"',
        b'"\xf8\x88\x80\x80\x80"',
        b'"\xf4\x90\x80\x80"',
    )
    add("array", b"[]", b"[1,2]", b"[1,]", b"[,1]", b"[1 2]", b"[", b"]", b"[1", b"[]]", b"[ ]")
    add(
        "object",
        b"{}",
        b'{"a":1}',
        b'{"a":1,}',
        b'{"a"}',
        b'{"a":}',
        b"{a:1}",
        b"{'a':1}",
        b'{"a" 1}',
    )
    add(
        "object more", b'{"a":1,"a":2}', b'{"":1}', b'{"__proto__":1}', b"{1:2}", b"{,}", b"}", b"{"
    )
    add("two values", b"1 2", b"{}{}", b"[][]", b'{}"', b"null null", b"1,2", b'"a""b"', b"{}\0")
    add("comment", b"//x\n1", b"/* x */1", b"1//", b"#x\n1", b"[1/**/]")
    for depth in (64, 253, 254, 255, 512, 1_023, 1_024, 1_025, 2_000, 5_000, 20_000):
        add(
            f"arrays {depth}", b"[" * depth + b"]" * depth, b"[" * depth + b"1" + b"]" * (depth - 1)
        )
        add(
            f"objects {depth}",
            b'{"a":' * depth + b"1" + b"}" * depth,
            b'{"a":' * depth + b"}" * depth,
        )
        mixed = b'[{"a":' * (depth // 2)
        add(
            f"mixed {depth}",
            mixed + b"NaN" + b"}]" * (depth // 2),
            mixed + b"1" + b"}]" * (depth // 2),
        )
        add(f"deep bytes {depth}", b"[" * depth + b'"\xff\\ud800"' + b"]" * depth)
        add(f"deep comma {depth}", b"[" * depth + b"1,]" + b"]" * (depth - 1), b"[" * depth)
        add(
            f"deep two {depth}",
            b"[" * depth + b"]" * depth + b"1",
            b"[" * depth + b"]" * (depth + 1),
        )
    return found


def digest(text: bytes) -> str:
    """Return what tells that a text is still the one that Node was asked about."""
    return hashlib.sha256(text).hexdigest()


def main() -> None:
    """Ask Node and write the data file."""
    asked = "".join(json.dumps([name, text.hex()]) + "\n" for name, text in texts().items())
    run = subprocess.run(
        ["node", "-e", _PROGRAM], input=asked, capture_output=True, text=True, check=True
    )
    digests = {name: digest(text) for name, text in texts().items()}
    answers = [json.loads(answer) for answer in run.stdout.splitlines()]
    lines = [json.dumps(answer | {"sha256": digests[answer["name"]]}) for answer in answers]
    RECORDED.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
