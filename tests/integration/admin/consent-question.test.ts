import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '../../support/admin.ts'
import { readAnswer } from '../../support/pages/read-page.ts'

const FORM = '/admin/forms/waitlist'
const QUESTION = { type: 'checkbox', name: 'consent', label: 'I agree to the [privacy policy](/privacy)' }
const TEXT = 'I agree to the privacy policy'

test('a question with a link is listed and reported by its text', async (t) => {
  const site = await startAdmin(t)
  const asked = await readAnswer(await site.post(`${FORM}/fields/new`, { ...QUESTION, step: 'type' }))
  asked.getByText('To add a link, write [privacy policy](/privacy).')
  const added = await site.post(`${FORM}/fields/new`, QUESTION)
  const cookie = added.headers.getSetCookie().map(decodeURIComponent).join()
  assert.ok(cookie.includes(`Question “${TEXT}” added.`), cookie)
  const list = await site.open(FORM)
  list.getByRole('link', { name: TEXT })
  list.getByRole('button', { name: `Move ${TEXT} up` })
  const editor = await site.open(`${FORM}/fields/consent`)
  editor.getByRole('heading', { name: TEXT })
  assert.equal(editor.valueOf('Question'), QUESTION.label)
  ;(await site.open(`${FORM}/fields/consent/removal`)).getByText(`Remove the question “${TEXT}”?`)
  const { summary } = await site.app.db
    .selectFrom('audit_log')
    .select('summary')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.equal(summary, `Added the question ${TEXT} to the form Waitlist`)
})
