import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentDocument } from '#src/content-files/document.ts'
import { ABSENT, decide, type RowDocument } from '#src/content-files/syncing/plan-sync.ts'

// Letters stand for what a side says; '-' for a side that is not there.
function decideFor(
  [file, row, base, baseRow]: readonly string[],
  {
    prefer,
    isSeed = false,
    isBuiltin = false,
  }: { prefer?: 'file' | 'database'; isSeed?: boolean; isBuiltin?: boolean } = {},
) {
  const rowDocument: RowDocument = { document: says(row), sha256: row ?? '', isBuiltin }
  return decide(
    {
      file: file === '-' ? undefined : says(file),
      row: row === '-' ? undefined : rowDocument,
      base:
        base === '-'
          ? undefined
          : { document: says(base), rowSha256: baseRow === '-' ? ABSENT : (baseRow ?? '') },
    },
    {
      isSame: (left, right) => JSON.stringify(left) === JSON.stringify(right.document),
      isUntouchedSeed: () => isSeed,
      prefer,
    },
  )
}

function says(text = ''): ContentDocument {
  return {
    kind: 'entry',
    type: 'pages',
    slug: 'about',
    title: text,
    status: 'published',
    terms: {},
    fields: {},
    body: '',
  }
}

for (const [name, sides, decision] of [
  ['nothing changed', 'AAAA', 'agree'],
  ['the file changed', 'BAAA', 'write'],
  ['the row changed', 'ABAA', 'keep'],
  ['both changed in the same way', 'BBAA', 'agree'],
  ['both changed and differ', 'BCAA', 'conflict'],
  ['a new file without a row', 'A---', 'write'],
  ['a row without a file', '-A--', 'keep'],
  ['file and row are equal and were never synced', 'AA--', 'agree'],
  ['file and row differ and were never synced', 'AB--', 'conflict'],
  ['the file went and the row did not change', '-AAA', 'remove'],
  ['the file went and the row changed', '-BAA', 'conflict'],
  ['the row went and the file did not change', 'A-AA', 'keep'],
  ['the row went and the file changed', 'B-AA', 'conflict'],
  ['both went', '--AA', 'forget'],
  ['a deleted row was settled before', 'A-A-', 'keep'],
  ['nothing changed but what the environment says', 'ABAB', 'write'],
] as const) {
  test(`contract §3 three-way rule: ${name}: ${decision}`, () =>
    assert.equal(decideFor([...sides]), decision))
}

for (const [sides, prefer, decision] of [
  ['BCAA', 'file', 'write'],
  ['BCAA', 'database', 'prefer_row'],
  ['AB--', 'file', 'write'],
  ['AB--', 'database', 'prefer_row'],
  ['-BAA', 'file', 'remove'],
  ['-BAA', 'database', 'forget'],
  ['B-AA', 'file', 'write'],
  ['B-AA', 'database', 'prefer_row'],
  ['ABAA', 'file', 'keep'],
  ['BAAA', 'database', 'write'],
] as const) {
  test(`contract §3 --prefer ${prefer} makes ${decision} of ${sides}`, () => {
    assert.equal(decideFor([...sides], { prefer }), decision)
  })
}

test('contract §3 a file wins over an unedited seeded row', () => {
  assert.equal(decideFor([...'AB--'], { isSeed: true }), 'write')
})

test('a built-in row stays when its file is removed, edited or not', () => {
  assert.equal(decideFor([...'-AAA'], { isBuiltin: true }), 'forget')
  assert.equal(decideFor([...'-BAA'], { isBuiltin: true }), 'forget')
})
