"""The small real files in the working folders of the demo."""

# ruff: noqa: RUF001 - Chinese punctuation and typographic marks are meant
from __future__ import annotations

OLD_SUM = """\
  return xs.reduce((a, b) => a + b)
}
"""
NEW_SUM = """\
  let s = -0 // neutral for IEEE 754 addition
  for (const x of xs) {
    s += x
  }
  // an empty array still gives +0
  if (xs.length === 0) {
    return 0
  }
  return s
}
"""
"""What the interrupted edit was to put in place of `OLD_SUM`; the file on disk holds it."""

SUM_HEAD = """\
/**
 * Sum of a list of numbers.
 *
 * 空数组返回 0；NaN 按 IEEE 754 传播。
 */
export type Numbers = readonly number[]

// The interface is public: callers in 18 places rely on it.

export function sum(xs: Numbers): number {
"""

SUM_TEST = """\
import { sum } from '../src/sum'

test('adds', () => expect(sum([1, 2, 3])).toBe(6))
test('空数组', () => expect(sum([])).toBe(0))
test('keeps -0', () => expect(Object.is(sum([-0]), -0)).toBe(true))
"""

PACKAGE = """\
{
  "name": "demo",
  "private": true,
  "scripts": { "test": "jest" }
}
"""

COVERAGE = """\
TN:
SF:src/sum.ts
DA:11,3
DA:12,3
end_of_record
"""

LIMITS = """\
openapi: 3.1.0
info: { title: rate limits, version: "1" }
paths:
  /tenants/{id}/limits:
    get: { parameters: [{ name: cursor, in: query }] }
"""

BUCKET = """\
package limits

// Bucket holds the tokens of one tenant.
type Bucket struct{ Tokens, Burst int }
"""

DEMO_FILES: tuple[tuple[str, str], ...] = (
    ("package.json", PACKAGE),
    ("src/sum.ts", SUM_HEAD + NEW_SUM),
    ("test/sum.test.ts", SUM_TEST),
    ("coverage/lcov.info", COVERAGE),
)
"""Files of `~/work/demo`: relative path and text."""

API_FILES: tuple[tuple[str, str], ...] = (
    ("openapi.yaml", LIMITS),
    ("limits/bucket.go", BUCKET),
    ("README.md", "# api\n\nRate limits per tenant.\n"),
)
"""Files of `~/work/api`."""

JAPANESE_FILES: tuple[tuple[str, str], ...] = (
    ("README.md", "# 日本語プロジェクト\n\n使い方は docs/使い方.md を見てください。\n"),
    ("docs/使い方.md", "# 使い方\n\n`make` を実行します。\n"),
)
"""Files of `~/src/日本語プロジェクト`."""
