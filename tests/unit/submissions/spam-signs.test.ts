import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Form } from '#src/forms/form.ts'
import { spamReason } from '#src/submissions/intake/spam-signs.ts'
import { readSpamReason, spamColumns } from '#src/submissions/spam-reason.ts'
import { aField, aForm } from '../../support/forms.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const UNKNOWN = { openedAt: undefined, openMs: undefined }
const FIELDS = [
  aField({ name: 'note', type: 'textarea' }),
  aField({ name: 'title', type: 'text' }),
  aField({ name: 'site', type: 'url' }),
  aField({ name: 'list', type: 'checkbox', options: [{ label: 'http://a.example', value: 'x' }] }),
]

function reasonOf(
  settings: Form['settings'],
  { body = {}, answers = {}, controls = UNKNOWN }: Partial<Parameters<typeof spamReason>[1]>,
) {
  return spamReason(aForm({ settings, fields: FIELDS }), { body, answers, controls, now: NOW })
}

test('contract §5 links are counted across all free text, but not in URL fields', () => {
  const link = 'https://a.example'
  const linked = (answers: object, max_links: number | null = 3) =>
    reasonOf({ anti_spam: { max_links } }, { answers: answers as never })
  assert.equal(linked({ note: `${link} ${link}`, title: link, site: link, list: [link] }), undefined)
  assert.deepEqual(linked({ note: `${link} ${link}`, title: `${link} ${link}`, site: link }), {
    ...{ code: 'many_links', params: { links: 4 } },
  })
  assert.equal(linked({ note: 'www2.a.example awww.b.example a <b>', title: null }, 0), undefined)
  for (const note of ['HTTP://a', 'www.a', '[URL=a]', '[url]a', '<a href="x">', '<A\nhref=x>'])
    assert.equal(linked({ note }, 0)?.code, 'many_links', note)
})

test('contract §5 a decoy with any value is spam, unless it is now a field', () => {
  const decoy = (honeypot: string | null, body: object) =>
    reasonOf({ honeypot }, { body: body as never })?.code
  assert.equal(decoy('website', { website: 'x' }), 'decoy_filled')
  assert.equal(decoy('website', { website: ['', ' x '] }), 'decoy_filled')
  assert.equal(decoy('website', { website: [' ', ''] }), undefined)
  assert.equal(decoy('website', { other: 'x' }), undefined)
  assert.equal(decoy('site', { site: 'https://a.example' }), undefined)
  assert.equal(decoy(null, { null: 'x', undefined: 'x' }), undefined)
})

test('contract §5 the time a form was open is checked, by the browser’s clock first', () => {
  const opened = (openedAt: number | undefined, openMs?: number) =>
    reasonOf({}, { controls: { openedAt, openMs } })
  const before = (ms: number) => NOW.getTime() - ms
  assert.deepEqual(opened(before(1_999)), { code: 'sent_early', params: { seconds: 1.999 } })
  assert.deepEqual(opened(before(0)), { code: 'sent_early', params: { seconds: 0 } })
  assert.deepEqual(opened(before(60_000), 0), { code: 'sent_early', params: { seconds: 0 } })
  const late = [opened(before(2_000)), opened(before(0), 2_000), opened(before(-1)), opened(undefined)]
  assert.deepEqual(late, [undefined, undefined, undefined, undefined])
})

test('a reason of spam is read as stored, and an unknown one as its code', () => {
  const read = (spam_code: string | null, spam_params_json: string | null = null) =>
    readSpamReason({ spam_code, spam_params_json })
  assert.equal(read(null), null)
  assert.deepEqual(read('decoy_filled'), { code: 'decoy_filled', params: undefined })
  assert.deepEqual(read('many_links', '{"links":3}'), { code: 'many_links', params: { links: 3 } })
  assert.deepEqual(read('of_later'), { code: 'other', params: { text: 'of_later' } })
  assert.deepEqual(spamColumns({ code: 'many_links', params: { links: 3 } }), {
    spam_code: 'many_links',
    spam_params_json: '{"links":3}',
  })
  assert.deepEqual(spamColumns({ code: 'by_hand' }), { spam_code: 'by_hand', spam_params_json: null })
  assert.deepEqual(spamColumns(null), { spam_code: null, spam_params_json: null })
})
