import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveContentFileBases } from '#src/content-files/content-file-store.ts'
import { refuseSlowTexts } from '#src/content-files/texts/refuse-slow-texts.ts'
import { anEntry } from '../../support/content-plans.ts'
import { openTestDatabase } from '../../support/database.ts'

const HEAD = '---\ntitle: About\n---\n\n'
const DEEP = '>'.repeat(6_000)
const TOO_DEEP = { line: 5, fault: { code: 'text_too_deep' } }

for (const [name, path, text, problem] of [
  ['quotes nested 6,000 times', 'pages/about.md', `${HEAD}${DEEP}`, TOO_DEEP],
  ['lists nested 5,000 times', 'pages/about.md', `${HEAD}${'- '.repeat(5_000)}a`, TOO_DEEP],
  ['numbered lists nested 5,000 times', 'pages/about.md', `${HEAD}${'1.\t'.repeat(5_000)}a`, TOO_DEEP],
  ['quotes nested 30,000 times', 'pages/about.md', `${HEAD}${'>'.repeat(30_000)}`, TOO_DEEP],
  ['a long list', 'pages/about.md', `${HEAD}${'- a *b*\n'.repeat(1_200)}`, undefined],
  ['a long text', 'pages/about.md', `${HEAD}${'We fix it.\n\n'.repeat(2_000)}`, undefined],
  ['a deep text without front matter', 'pages/about.md', DEEP, undefined],
  ['a deep text of another kind', 'site.yaml', `${HEAD}${DEEP}`, undefined],
] as const) {
  test(`a file with ${name}: ${problem ? 'a mistake' : 'no mistake'}`, async (t) => {
    const file = { path, text }
    const expected = problem ? { ...file, problem } : file
    assert.deepEqual(await refuseSlowTexts(await openTestDatabase(t), [file]), [expected])
  })
}

test('a text that is as synced isn’t formatted again', async (t) => {
  const db = await openTestDatabase(t)
  const base = { path: 'pages/about.md', document: anEntry('pages/about.md', { body: DEEP }), rowSha256: '' }
  await saveContentFileBases(db, [base], { now: '2026-11-20T10:00:00.000Z' })
  const files = [{ path: 'pages/about.md', text: `${HEAD}${DEEP}` }]
  assert.deepEqual(await refuseSlowTexts(db, files), files)
  const [changed] = await refuseSlowTexts(db, [{ path: 'pages/about.md', text: `${HEAD}${DEEP}>` }])
  assert.deepEqual(changed?.problem, TOO_DEEP)
})
