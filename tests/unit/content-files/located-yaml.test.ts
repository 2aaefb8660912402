import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitFrontMatter } from '#src/content-files/parsing/front-matter.ts'
import { parseLocatedYaml } from '#src/content-files/parsing/located-yaml.ts'

function parsed(text: string, firstLine = 1) {
  const result = parseLocatedYaml(text, { firstLine })
  assert.equal(result.kind, 'parsed')
  return result.yaml
}

test('a path resolves to the line of its key or list item', () => {
  const yaml = parsed('name: A\nlist:\n  - one\n  - key: two\n    other: three\n')
  assert.equal(yaml.lineOf(['list']), 2)
  assert.equal(yaml.lineOf(['list', 0]), 3)
  assert.equal(yaml.lineOf(['list', 1, 'other']), 5)
})

test('an anchor before a key is no part of it', () => {
  const yaml = parsed('a: 1\n&b title: A\nother: *b\n')
  assert.deepEqual([yaml.value, yaml.lineOf(['title'])], [{ a: 1, title: 'A', other: 'title' }, 2])
})

test('a missing key has the line of its parent', () => {
  const yaml = parsed('name: A\nlist:\n  - key: one\n')
  assert.equal(yaml.lineOf(['list', 0, 'other']), 3)
  assert.equal(yaml.lineOf(['title']), 1)
})

test('lines are counted from the text’s start in its file', () => {
  const parts = splitFrontMatter('---\ntitle: A\nstatus: draft\n---\nBody')
  assert.ok(parts)
  assert.equal(parsed(parts.yaml, parts.firstLine).lineOf(['status']), 3)
})

test('an empty text is an object without keys', () => {
  assert.deepEqual(parsed('').value, {})
})

for (const [text, line] of [
  ['a: 1\na: 2\n', 2],
  ['a: "open\n', 1],
  ['a: 1\nb: "open\nc: 1\n', 2],
  ["a: 1\nb: 's open\nc: 1\n", 2],
  ['a: 1\nb: [open\nc: 1\n', 2],
  ['a: 1\nb:\n  - { c: #open, d: 1 }\ne: 1\n', 3],
  ['a: 1\n b: 2\n', 1],
  ['a: *nowhere\n', 1],
  ['a: 1\nb: &b [{ c: *b }]\n', 2],
  ['a: 1\n---\nb: 2\n', 2],
  ['a: 1\nb: "\\0"\n', 2],
  ['a: 1\nb: "\\uD800"\n', 2],
  ['a: 1\nb: { c: {{d}} }\n', 2],
  ['a: 1\nb:\n  c: {{d | text}}\n', 3],
  ['a: 1\n[b]: 2\n', 2],
] as const) {
  test(`${JSON.stringify(text)} is broken on line ${line}`, () => {
    const result = parseLocatedYaml(text, { firstLine: 1 })
    assert.equal(result.kind, 'broken')
    assert.equal(result.mistakes[0]?.line, line)
  })
}

for (const text of ['a: [[[', 'a: { b: {{c}}, d: {{e}} }\n', 'a: { b: ${C}, d: ${E} }\n', 'a: 1\n  b: 2\n']) {
  test(`${JSON.stringify(text)} has one error, reported once`, () => {
    const result = parseLocatedYaml(text, { firstLine: 1 })
    assert.equal(result.kind === 'broken' && result.mistakes.length, 1)
  })
}

test('a broken text is reported with the parser’s first line', () => {
  for (const [text, error, reason] of [
    ['a: 1\na: 2\n', 'DUPLICATE_KEY', 'Map keys must be unique'],
  ] as const) {
    const result = parseLocatedYaml(text, { firstLine: 4 })
    const params = { error, reason }
    assert.deepEqual(result, {
      kind: 'broken',
      mistakes: [{ line: 5, fault: { code: 'yaml_invalid', params } }],
    })
  }
})

for (const [text, line, fault] of [
  ['a: 1\nb: "\\a"\n', 2, { code: 'character_unusable', params: { name: 'U+0007' } }],
  ['a: &b c\nd: { *b : 1, c: 2 }\n', 2, { code: 'yaml_key_alias', params: { name: 'b' } }],
  ['a: 1\nb: [*c]\nd: &c 2\n', 2, { code: 'yaml_alias_unknown', params: { name: 'c' } }],
  ['a: &b [c]\n*b : 1\n', 2, { code: 'yaml_key_alias', params: { name: 'b' } }],
  ['1: a\n"1": b\n', 2, { code: 'yaml_key_repeated', params: { name: '1' } }],
  ['a: { "": b, ~: c }\n', 1, { code: 'yaml_key_repeated', params: { name: '' } }],
  ['a: &a\n  - 1\n  - *a\n', 3, { code: 'yaml_inside_itself', params: { name: 'a' } }],
] as const) {
  test(`${JSON.stringify(text)} has a value that isn’t allowed`, () => {
    assert.deepEqual(parseLocatedYaml(text, { firstLine: 1 }), {
      kind: 'broken',
      mistakes: [{ line, fault }],
    })
  })
}

for (const [text, bodyLine, body] of [
  ['---\ntitle: A\n---\nBody', 4, 'Body'],
  ['---\ntitle: A\n---\n\n \nBody\n', 6, 'Body'],
  ['---  \n---\t\n\nBody', 4, 'Body'],
  ['---\ntitle: A\n---\n', 4, ''],
  ['---\ntitle: A\n---', 4, ''],
] as const) {
  test(`the body of ${JSON.stringify(text)} starts on line ${bodyLine}`, () => {
    const parts = splitFrontMatter(text)
    assert.deepEqual([parts?.bodyLine, parts?.body], [bodyLine, body])
  })
}

for (const text of ['', 'title: A\n---\n', '---\ntitle: A\n', ' ---\n---\n']) {
  test(`${JSON.stringify(text)} has no front matter`, () => assert.equal(splitFrontMatter(text), undefined))
}

test('the Markdown body is unchanged except for surrounding blank lines', () => {
  const text = '---\ntitle: A\n---\n\n\n    code\n\n---\n\ntext  \n\n'
  assert.equal(splitFrontMatter(text)?.body, '    code\n\n---\n\ntext')
})
