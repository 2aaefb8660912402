import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLead, listFiles } from '#src/privacy/describe-lead.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { storeLead } from './stored-person.ts'

const AT = '2026-11-20T10:00:00.000Z'

/** What the export has, with `then` for the times that the database set. */
function withoutClock(lead: object | undefined) {
  return JSON.parse(JSON.stringify(lead), (key, value) =>
    key === 'createdAt' && !Number.isNaN(Date.parse(value)) ? 'then' : value,
  )
}

test('a person’s export has everything stored about their lead and nothing about others', async (t) => {
  const db = await openTestDatabase(t)
  const uploadsDir = temporaryFolder(t)
  const photo = { name: '../my roof.jpg', size: 7, type: 'image/jpeg', upload_id: 5 }
  const answers = { full_name: 'Ann', email: 'ann@mail.example', photo }
  await storeLead(db, { answers: { full_name: 'Bob' }, text: 'bob@mail.example', uploadsDir })
  const { id } = await storeLead(db, { answers, text: 'ann@mail.example', uploadsDir })
  const about = {
    page_path: '/services/ac-repair/austin',
    service_name: 'AC repair',
    location_name: 'Austin',
  }
  const progress = { stage: 'quoted', source: 'ads:google', status: 'read' } as const
  await db
    .updateTable('form_submissions')
    .set({ ...about, ...progress, consents_json: JSON.stringify({ terms: 'I accept' }) })
    .where('id', '=', id)
    .execute()
  const { answers: labelled, ...lead } = withoutClock(await describeLead(db, id))
  assert.deepEqual(
    labelled.map(({ text }: { text: string }) => text).filter((text: string) => text !== ''),
    ['Ann', 'ann@mail.example', '../my roof.jpg (7 bytes)'],
  )
  assert.deepEqual(lead, {
    ...{ id, submittedAt: AT, form: 'Waitlist' },
    ...{ page: '/services/ac-repair/austin', service: 'AC repair', place: 'Austin' },
    ...{ status: 'read', stage: 'quoted', consents: { terms: 'I accept' } },
    ...{ source: 'ads:google', visit: { first: { landing_page: '/?q=ann%40mail.example' } } },
    notes: [{ author: 'ann@example.com', body: 'Called ann@mail.example', createdAt: 'then' }],
    emails: [{ to: 'office@example.com', status: 'failed', finishedAt: null }],
    reply: { to: 'ann@mail.example', status: 'sent', finishedAt: null },
    deliveries: [
      {
        ...{ webhook: null, status: 'failed', createdAt: 'then' },
        body: '{"text":"ann@mail.example","other":"kept"}',
        attempts: [{ startedAt: AT, status: null, answer: '{"saw":"ann@mail.example"}' }],
      },
    ],
    files: ['files/5-my-roof.jpg'],
  })
})

test('a lead of a deleted form is exported too, and a deleted lead isn’t', async (t) => {
  const db = await openTestDatabase(t)
  const { id } = await storeLead(db, { answers: { a: 'x' }, text: 'x', uploadsDir: temporaryFolder(t) })
  await db.deleteFrom('reply_mails').execute()
  await db.deleteFrom('delivery_bodies').execute()
  await db.deleteFrom('delivery_attempts').execute()
  await db.updateTable('form_submissions').set({ form_id: null }).execute()
  const lead = withoutClock(await describeLead(db, id))
  assert.deepEqual([lead.form, lead.status, lead.reply], [null, 'new', null])
  assert.deepEqual(lead.deliveries, [
    { webhook: null, status: 'failed', createdAt: 'then', body: null, attempts: [] },
  ])
  const { status } = await db.selectFrom('form_submissions').select('status').executeTakeFirstOrThrow()
  assert.equal(status, 'new')
  assert.equal(await describeLead(db, 999), undefined)
})

test('the files of a lead have plain names', () => {
  const file = (name: string, upload_id = 1) => ({ name, size: 1, type: 'image/png', upload_id })
  const pathOf = (name: string) => listFiles({ answers: { photo: file(name) } })[0]?.path
  assert.deepEqual(['Roof 2.png', '..//..\\a  b.png', '---', 'Dach ü–ß.png', '.htaccess'].map(pathOf), [
    'files/1-Roof-2.png',
    'files/1-a-b.png',
    'files/1-file',
    'files/1-Dach-ü-ß.png',
    'files/1-htaccess',
  ])
  const answers = {
    text: 'a',
    none: null,
    ticked: true,
    list: ['a'],
    sample: { name: 'a', size: 1, type: 'x' },
  }
  assert.deepEqual(listFiles({ answers: { ...answers, two: file('b', 7) } as never }), [
    { uploadId: 7, path: 'files/7-b' },
  ])
})
