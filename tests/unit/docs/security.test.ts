import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROJECT_DIR } from '../../support/running-site.ts'

const STATES = ['met', 'not applicable', 'not met']
/** A reason is a sentence. */
const SHORTEST_REASON = 20

const read = (path: string) => readFileSync(join(PROJECT_DIR, path), 'utf8')
// The formatter aligns the columns.
const text = read('docs/security.md').replace(/ {2,}|-{4,}/g, ' ')
const rows = text
  .split('\n')
  .filter((line) => /^\| V\d/.test(line))
  .map(readRow)

test('docs/security.md judges each requirement of levels 1 and 2 exactly once', () => {
  // Numbers of OWASP ASVS 5.0.0, by level and chapter.
  const required = read('tests/fixtures/asvs-5.0.txt')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [level, ...ids] = line.split(' ')
      return ids.map((id) => `${id} ${level}`)
    })
  assert.equal(required.length, 253)
  const judged = rows.map(({ id, level }) => `${id} ${level}`)
  assert.deepEqual(judged.toSorted(), required.toSorted())
})

test('each requirement is met with evidence, or says why it is not', () => {
  const unproven = rows.filter(({ state, evidence }) => {
    if (!STATES.includes(state)) return true
    if (state !== 'met') return evidence.length < SHORTEST_REASON
    return filesIn(evidence).length === 0 && linksIn(evidence).length === 0
  })
  assert.deepEqual(unproven, [])
})

test('every file and every section that docs/security.md names is there', () => {
  const files = filesIn(text)
  assert.ok(files.length > 200, `only ${files.length} files are named`)
  assert.deepEqual(
    files.filter((file) => !existsSync(join(PROJECT_DIR, file))),
    [],
  )
  const sections = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title))
  assert.deepEqual(
    linksIn(text).filter((link) => !sections.includes(link)),
    [],
  )
})

test('no requirement of level 1 is open', () => {
  const open = rows.flatMap(({ id, level, state }) => (level === '1' && state === 'not met' ? [id] : []))
  assert.deepEqual(open, [])
})

test('the table of states counts its rows', () => {
  for (const level of ['1', '2']) {
    const counts = STATES.map(
      (state) => rows.filter((row) => row.level === level && row.state === state).length,
    )
    assert.ok(text.includes(`| ${level} | ${counts.join(' | ')} |`), `level ${level}: ${counts.join(' | ')}`)
  }
})

function readRow(line: string) {
  const [id = '', , level = '', state = '', evidence = ''] = line
    .slice(1, -1)
    .split(' | ')
    .map((cell) => cell.trim())
  return { id, level, state, evidence }
}

/** What stands in backticks and begins with a name from the root of the project, or ends as a file does. */
function filesIn(markdown: string): string[] {
  const roots = readdirSync(PROJECT_DIR)
  return [...markdown.matchAll(/`([^`\s]+)`/g)]
    .map(([, code = '']) => code)
    .filter(
      (code) =>
        roots.includes(code) ||
        (code.includes('/') && roots.includes(code.split('/')[0] ?? '')) ||
        /\.(ts|astro|md)$/.test(code),
    )
}

function linksIn(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor = '']) => anchor)
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}
