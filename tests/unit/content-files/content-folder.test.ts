import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { readContentFile, readContentFolder } from '#src/content-files/parsing/content-folder.ts'
import { temporaryFolder } from '../../support/database.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

for (const [name, content, expected] of [
  ['a text', 'a\nb\n', { text: 'a\nb\n' }],
  ['a text with a byte order mark', '\uFEFFa\uFEFF', { text: 'a\uFEFF' }],
  ['line endings of any system', 'a\r\nb\rc\n\r', { text: 'a\nb\nc\n\n' }],
  ['a replacement character of its own', 'a \uFFFD', { text: 'a \uFFFD' }],
  ['Latin-1', bytes('a\nb\ncaf\xe9\n'), { text: '', problem: { line: 3, fault: { code: 'not_utf8' } } }],
  [
    'an unusable character',
    'a\nb\u0007',
    { text: '', problem: { line: 2, fault: { code: 'character_unusable', params: { name: 'U+0007' } } } },
  ],
] as const) {
  test(`a content file with ${name}`, async (t) => {
    const root = temporaryFolder(t)
    writeFileSync(join(root, 'a.md'), content)
    assert.deepEqual(await readContentFile(root, 'a.md'), { path: 'a.md', ...expected })
  })
}

test('a content folder’s files are read in order, without pictures, dotfiles, and README.md', async (t) => {
  const root = temporaryFolder(t)
  const add = (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), path)
  }
  const kept = ['forms/a.yaml', 'pages/a.md', 'pages/b/c.md', 'pages/pictures/d.md', 'site.yaml']
  const left = ['pictures/a.yaml', '.git/a', 'pages/.b.md', 'README.md', 'pages/README.md']
  for (const path of [...kept, ...left].reverse()) add(path)
  assert.deepEqual(
    await readContentFolder(root),
    kept.map((path) => ({ path, text: path })),
  )
})

test('what isn’t a readable file has a problem', async (t) => {
  const root = temporaryFolder(t)
  mkdirSync(join(root, 'folder.md'))
  symlinkSync('nowhere', join(root, 'dangling.md'))
  symlinkSync('loop.md', join(root, 'loop.md'))
  writeFileSync(join(root, 'huge.md'), '')
  truncateSync(join(root, 'huge.md'), 32 * 1024 * 1024 + 1)
  const problemOf = async (path: string) => (await readContentFile(root, path)).problem
  assert.deepEqual(await problemOf('folder.md'), { line: 1, fault: { code: 'not_a_file' } })
  assert.deepEqual(await problemOf('dangling.md'), { line: 1, fault: { code: 'link_broken' } })
  assert.deepEqual(await problemOf('loop.md'), {
    line: 1,
    fault: { code: 'file_unreadable', params: { error: 'ELOOP' } },
  })
  assert.deepEqual(await problemOf('huge.md'), {
    line: 1,
    fault: { code: 'file_too_large', params: { max: 32 } },
  })
})
