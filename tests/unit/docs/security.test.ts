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
const page = read('docs/security.md')
const judgment = read('docs/asvs.md').replace(/ {2,}|-{4,}/g, ' ')
const rows = judgment
  .split('\n')
  .filter((line) => /^\| V\d/.test(line))
  .map(readRow)

test('docs/asvs.md judges each requirement of levels 1 and 2 exactly once', () => {
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

test('every file and section that both pages reference exists', () => {
  const files = filesIn(judgment + page)
  assert.ok(files.length > 200, `only ${files.length} files are named`)
  assert.deepEqual(
    files.filter((file) => !existsSync(join(PROJECT_DIR, file))),
    [],
  )
  const sections = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title))
  assert.deepEqual(
    linksIn(judgment).filter((link) => !sections.includes(link)),
    [],
  )
})

test('no requirement of level 1 is open', () => {
  const open = rows.flatMap(({ id, level, state }) => (level === '1' && state === 'not met' ? [id] : []))
  assert.deepEqual(open, [])
})

test('the summary table counts its rows', () => {
  for (const level of ['1', '2']) {
    const counts = STATES.map(
      (state) => rows.filter((row) => row.level === level && row.state === state).length,
    )
    assert.ok(
      judgment.includes(`| ${level} | ${counts.join(' | ')} |`),
      `level ${level}: ${counts.join(' | ')}`,
    )
  }
})

function readRow(line: string) {
  const [id = '', , level = '', state = '', evidence = ''] = line
    .slice(1, -1)
    .split(' | ')
    .map((cell) => cell.trim())
  return { id, level, state, evidence }
}

/** Code that starts with a file or folder of the project’s root, or ends like the name of a source file. */
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
  return [...markdown.matchAll(/\]\(security\.md#([\w-]+)\)/g)].map(([, anchor = '']) => anchor)
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}
