import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveContentFileBases } from '#src/content-files/content-file-store.ts'
import { refuseSlowTexts } from '#src/content-files/texts/refuse-slow-texts.ts'
import { anEntry, documentOf } from '../../support/content-plans.ts'
import { openTestDatabase } from '../../support/database.ts'

const HEAD = '---\ntitle: About\n---\n\n'
const DEEP = '>'.repeat(6_000)
const IN_FORM = 'name: Quote\nsettings:\n  success_body: '
const TOO_DEEP = { line: 5, fault: { code: 'text_too_deep' } }

for (const [name, path, text, problem] of [
  ['quotes nested 6,000 times', 'pages/about.md', `${HEAD}${DEEP}`, TOO_DEEP],
  ['lists nested 5,000 times', 'pages/about.md', `${HEAD}${'- '.repeat(5_000)}a`, TOO_DEEP],
  ['numbered lists nested 5,000 times', 'pages/about.md', `${HEAD}${'1.\t'.repeat(5_000)}a`, TOO_DEEP],
  ['quotes nested 30,000 times', 'pages/about.md', `${HEAD}${'>'.repeat(30_000)}`, TOO_DEEP],
  ['emphasis nested 900 times', 'pages/about.md', `${HEAD}${'*a '.repeat(900)}${'b*'.repeat(900)}`, TOO_DEEP],
  ['quotes nested in a form’s text', 'forms/quote.yaml', `${IN_FORM}'${DEEP}'`, { ...TOO_DEEP, line: 3 }],
  ['a form without a text', 'forms/quote.yaml', `name: Quote\ndescription: '${DEEP}'`, undefined],
  ['a form’s text that can’t be read', 'forms/quote.yaml', `${IN_FORM}'${DEEP}`, undefined],
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
  const form = `${IN_FORM}'${DEEP}'\nfields: []\n`
  const bases = [
    { path: 'pages/about.md', document: anEntry('pages/about.md', { body: DEEP }), rowSha256: '' },
    { path: 'forms/quote.yaml', document: documentOf('forms/quote.yaml', form), rowSha256: '' },
  ]
  await saveContentFileBases(db, bases, { now: '2026-11-20T10:00:00.000Z' })
  const files = [
    { path: 'pages/about.md', text: `${HEAD}${DEEP}` },
    { path: 'forms/quote.yaml', text: form },
  ]
  assert.deepEqual(await refuseSlowTexts(db, files), files)
  const changed = files.map(({ path, text }) => ({ path, text: text.replace('>', '> >') }))
  const problems = (await refuseSlowTexts(db, changed)).map(({ problem }) => problem)
  assert.deepEqual(problems, [TOO_DEEP, { ...TOO_DEEP, line: 3 }])
})
