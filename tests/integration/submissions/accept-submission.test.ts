import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { migrate } from '#src/db/migrate.ts'
import { findForm } from '#src/forms/form-store.ts'
import { findSubmission } from '#src/submissions/submission-store.ts'
import { openEmptySqlite, openTestDatabase } from '../../support/database.ts'
import { aDesk, assertStored, countRows, storedSubmission, storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { printFigure } from '../../support/soak.ts'

const FIELDS = [
  { name: 'email', label: 'Email', type: 'email' as const, required: true },
  { name: 'rooms', label: 'Rooms', type: 'number' as const },
]

test('contract §5 a valid post is stored with exactly its answers and its page', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { fields: FIELDS })
  const now = () => new Date('2026-11-20T10:00:00.000Z')
  const outcome = await aDesk(db, { now }).accept('quote', {
    _page: '/services/ac-repair/austin',
    _t: '1',
    email: ' ada@example.com ',
    rooms: '3',
    unknown: 'dropped',
  })
  assert.deepEqual(outcome, { kind: 'accepted', id: 1, submittedAt: '2026-11-20T10:00:00.000Z', form })
  const { clientId, ...submission } = await storedSubmission(db, outcome)
  assert.match(String(clientId), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(submission, {
    id: 1,
    formId: form.id,
    formVersion: 1,
    status: 'new',
    stage: 'new',
    assigneeId: null,
    spamReason: null,
    answers: { email: 'ada@example.com', rooms: 3 },
    submittedAt: '2026-11-20T10:00:00.000Z',
    pagePath: '/services/ac-repair/austin',
    serviceSlug: 'ac-repair',
    serviceName: 'AC repair',
    serviceId: 1,
    locationSlug: 'austin',
    locationName: 'Austin',
    locationPath: 'usa/texas/austin',
    locationId: 2,
    consents: {},
    sourceName: 'unknown',
    source: { last: { at: '2026-11-20T10:00:00.000Z', landing_page: '/services/ac-repair/austin' } },
  })
})

test('§2.4 a new submission stores its answers in data_json only', async (t) => {
  const db = await openTestDatabase(t)
  const body = { full_name: 'Ada', email: 'ada@example.com', phone: '+44 20 7946 0958', role: 'Owner' }
  await aDesk(db).accept('waitlist', body)
  const row = await db.selectFrom('form_submissions').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual(JSON.parse(row.data_json), { ...body, clients_managed: null, bottleneck: null })
  const legacy = [row.full_name, row.email, row.phone, row.role, row.clients_managed, row.bottleneck]
  assert.deepEqual(legacy, [null, null, null, null, null, null])
})

test('contract §5 an unknown page stores its path only; no page stores nothing', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const elsewhere = await aDesk(db).accept('quote', { _page: '/forms/quote' })
  const { pagePath, serviceSlug, locationPath } = await storedSubmission(db, elsewhere)
  assert.deepEqual([pagePath, serviceSlug, locationPath], ['/forms/quote', null, null])
  const nowhere = await aDesk(db).accept('quote', { _page: 'https://elsewhere.example/' })
  assert.equal((await storedSubmission(db, nowhere)).pagePath, null)
})

test('contract §5 invalid answers are refused with messages, values, and page; nothing is stored', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { fields: FIELDS })
  const body = { email: 'nobody', rooms: 'many', other: 'x', _page: '/services/ac-repair/austin' }
  assert.deepEqual(await aDesk(db).accept('quote', body), {
    kind: 'invalid',
    form,
    errors: {
      email: ['Enter an email address such as name@example.com'],
      rooms: ['Enter a number such as 12 or 3.5'],
    },
    values: { email: ['nobody'], rooms: ['many'] },
    pagePath: '/services/ac-repair/austin',
  })
  assert.equal(await countRows(db, 'form_submissions'), 0)
})

test('without the script, a form sent again after a mistake keeps its page and the tags of its URL', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote', { fields: FIELDS })
  const now = () => new Date('2026-11-20T10:00:00.000Z')
  const desk = aDesk(db, { now })
  const path = '/services/ac-repair/austin'
  const long = 'x'.repeat(512)
  const url = `https://www.example.com${path}`
  const tagged = `${url}?utm_source=google&utm_medium=cpc&gclid=${long}&name=Ada`
  const response = 'https://www.example.com/api/forms/quote/submissions'
  const send = (email: string, _page: string, referrer: string, isPrivate = false) =>
    desk.accept('quote', { email, _page }, { cameFrom: { referrer, isPrivate } })
  const sendAgain = async (email: string, _page: string, referrer: string, isPrivate?: boolean) => {
    const refused = await send(email, _page, referrer, isPrivate)
    assert.equal(refused.kind, 'invalid')
    return refused.kind === 'invalid' ? String(refused.pagePath) : ''
  }
  const first = await sendAgain('nobody', path, tagged)
  assert.equal(first, `${path}?utm_source=google&utm_medium=cpc&gclid=${long}`)
  const second = await sendAgain('nobody', first, response)
  const tags = { utm_source: 'google', utm_medium: 'cpc', gclid: long }
  const { pagePath, locationSlug, sourceName, source } = await storedSubmission(
    db,
    await send('ada@example.com', second, response),
  )
  assert.deepEqual([pagePath, locationSlug, sourceName], [path, 'austin', 'ads:google'])
  assert.deepEqual(source?.last, { at: now().toISOString(), landing_page: path, referrer: url, ...tags })
  assert.equal(await sendAgain('nobody', path, tagged, true), path)
  const unpaged = await storedSubmission(db, await send('ada@example.com', '', response))
  assert.deepEqual([unpaged.pagePath, unpaged.source], [null, null])
})

test('§3 an active form accepts posts; draft and unknown ones are not found, archived ones are gone', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'active')
  await storeForm(db, 'draft', { status: 'draft' })
  await storeForm(db, 'archived', { status: 'archived' })
  const desk = aDesk(db)
  const kinds = ['active', 'draft', 'archived', 'unknown', '__proto__'].map(
    async (slug) => (await desk.accept(slug, {})).kind,
  )
  assert.deepEqual(await Promise.all(kinds), ['accepted', 'not_found', 'gone', 'not_found', 'not_found'])
  assert.equal(await countRows(db, 'form_submissions'), 1)
})

test('contract §5 a filled decoy is answered as accepted, stored as spam, and never delivered', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { settings: { honeypot: 'website' } })
  await storeWebhook(db, form.id)
  let accepted = 0
  const desk = aDesk(db, { onAccepted: () => (accepted += 1) })
  const outcome = await desk.accept('quote', { answer: 'buy now', website: 'https://spam.example' })
  assert.deepEqual(Object.keys(outcome).sort(), ['form', 'id', 'kind', 'submittedAt'])
  assert.equal(outcome.kind, 'accepted')
  const { status, answers } = await storedSubmission(db, outcome)
  assert.deepEqual([status, answers], ['spam', { answer: 'buy now' }])
  assert.deepEqual([await countRows(db, 'webhook_deliveries'), accepted], [0, 0])
})

test('contract §5 an empty decoy, or one that is a field, isn’t spam', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { settings: { honeypot: 'website' } })
  const empty = await aDesk(db).accept('quote', { answer: 'hello', website: ' ' })
  assert.equal((await storedSubmission(db, empty)).status, 'new')
  // A definition refuses this, a row in the table may still say it.
  await db.updateTable('form_fields').set({ name: 'website' }).where('form_id', '=', form.id).execute()
  const asked = await aDesk(db).accept('quote', { website: 'https://example.com' })
  assert.equal((await storedSubmission(db, asked)).status, 'new')
})

test('§6.1 each enabled webhook gets a delivery: due, or skipped with the failed rule', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { fields: FIELDS })
  const always = await storeWebhook(db, form.id)
  const other = await storeWebhook(db, form.id, { fireOn: { email: 'bob@example.com' } })
  const local = await storeWebhook(db, form.id, {
    fireOn: { field: 'meta.location_slug', op: 'eq', value: 'austin' },
  })
  await storeWebhook(db, form.id, { isEnabled: false })
  let accepted = 0
  const desk = aDesk(db, { onAccepted: () => (accepted += 1) })
  const body = { email: 'ada@example.com', _page: '/services/ac-repair/austin' }
  const { id } = assertStored(await desk.accept('quote', body))
  const rows = await db.selectFrom('webhook_deliveries').selectAll().orderBy('webhook_id').execute()
  assert.deepEqual(
    rows.map((row) => [row.submission_id, row.form_id, row.webhook_id, row.status]),
    [
      [id, form.id, always, 'pending'],
      [id, form.id, other, 'skipped'],
      [id, form.id, local, 'pending'],
    ],
  )
  assert.equal(accepted, 1)
})

test('contract §5 the same `_id` is the same submission and gets the first response', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { fields: FIELDS })
  await storeWebhook(db, form.id)
  const desk = aDesk(db)
  const _id = randomUUID()
  const first = assertStored(await desk.accept('quote', { _id, email: 'ada@example.com' }))
  const again = await desk.accept('quote', { _id: _id.toUpperCase(), email: 'bob@example.com' })
  assert.deepEqual(again, { ...first, kind: 'repeated' })
  assert.deepEqual(await desk.accept('quote', { _id, email: 'not an address' }), again)
  assert.equal((await storedSubmission(db, again)).answers.email, 'ada@example.com')
  const counts = [await countRows(db, 'form_submissions'), await countRows(db, 'webhook_deliveries')]
  assert.deepEqual(counts, [1, 1])
})

test('contract §5 the same `_id` on another form is a new submission, and an `_id` that isn’t a UUID is ignored', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  await storeForm(db, 'contact')
  const desk = aDesk(db)
  const _id = randomUUID()
  const bodies = [
    ['quote', { _id }],
    ['contact', { _id }],
    ['quote', { _id: 'mine' }],
    ['quote', { _id: 'mine' }],
  ] as const
  for (const [slug, body] of bodies) assert.equal((await desk.accept(slug, body)).kind, 'accepted')
  assert.equal(await countRows(db, 'form_submissions'), 4)
})

test('1,000 pairs of the same `_id` at the same time store 1,000 submissions, each with its deliveries', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote')
  await storeWebhook(db, form.id)
  const desk = aDesk(db)
  const pairs = await Promise.all(
    Array.from({ length: 1_000 }, () => {
      const _id = randomUUID()
      return Promise.all(['first', 'second'].map((answer) => desk.accept('quote', { _id, answer })))
    }),
  )
  for (const [first, second] of pairs) {
    assert.deepEqual([first?.kind, second], ['accepted', { ...first, kind: 'repeated' }])
  }
  const answers = db.selectFrom('form_submissions').select('data_json').distinct()
  assert.deepEqual(await answers.execute(), [{ data_json: '{"answer":"first"}' }])
  const counts = [await countRows(db, 'form_submissions'), await countRows(db, 'webhook_deliveries')]
  assert.deepEqual(counts, [1_000, 1_000])
  printFigure(t, `${pairs.length} pairs, ${counts[0]} submissions, ${counts[1]} deliveries`)
})

test('each of many concurrent posts gets the ID of its own row', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const desk = aDesk(db)
  const texts = Array.from({ length: 200 }, (_, index) => `post ${index}`)
  const outcomes = await Promise.all(texts.map((answer) => desk.accept('quote', { answer })))
  for (const [index, outcome] of outcomes.entries()) {
    assert.equal((await storedSubmission(db, outcome)).answers.answer, texts[index])
  }
})

test('contract §6 deleting a form or webhook after it was read fails no other post', async (t) => {
  const db = await openTestDatabase(t)
  const quote = await storeForm(db, 'quote')
  const contact = await storeForm(db, 'contact')
  const webhook = await storeWebhook(db, quote.id)
  const desk = aDesk(db, { now: () => new Date('2026-11-20T10:00:00.000Z') })
  await Promise.all(['quote', 'contact'].map((slug) => desk.accept(slug, {})))
  await db.deleteFrom('form_webhooks').where('id', '=', webhook).execute()
  await db.deleteFrom('forms').where('id', '=', contact.id).execute()
  const outcomes = await Promise.all(['quote', 'contact'].map((slug) => desk.accept(slug, {})))
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['accepted', 'not_found'],
  )
})

test('a change by another process applies after a second, a local one at once', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  let time = Date.parse('2026-11-20T10:00:00.000Z')
  const desk = aDesk(db, { now: () => new Date(time) })
  const archive = async (status: 'archived' | 'active') => {
    await db.updateTable('forms').set({ status }).where('slug', '=', 'quote').execute()
  }
  assert.equal((await desk.accept('quote', {})).kind, 'accepted')
  await archive('archived')
  time += 1_001
  assert.equal((await desk.accept('quote', {})).kind, 'gone')
  await archive('active')
  desk.invalidate()
  assert.equal((await desk.accept('quote', {})).kind, 'accepted')
  await archive('archived')
  time -= 60_000
  assert.equal((await desk.accept('quote', {})).kind, 'gone')
})

test('a new form is found at once', async (t) => {
  const db = await openTestDatabase(t)
  const desk = aDesk(db)
  assert.equal((await desk.accept('quote', {})).kind, 'not_found')
  await storeForm(db, 'quote')
  assert.equal((await desk.accept('quote', {})).kind, 'accepted')
})

const LIMITS = [
  ['full_name', 100],
  ['email', 150],
  ['phone', 40],
  ['role', 80],
  ['clients_managed', 80],
  ['bottleneck', 1000],
] as const

for (const [name, limit] of LIMITS) {
  test(`§8 ${name} of the built-in form accepts ${limit} characters and refuses ${limit + 1}`, async (t) => {
    const db = await openTestDatabase(t)
    const desk = aDesk(db)
    const body = { full_name: 'Ada', email: 'ada@example.com', phone: '+44 20 7946 0958', role: 'Owner' }
    const answerOf = (length: number) => {
      if (name === 'email') return `${'a'.repeat(length - 12)}@example.com`
      // A number with spaces in it, as long as it takes.
      return name === 'phone' ? `51255501${' '.repeat(length - 10)}00` : '🚀'.repeat(length)
    }
    assert.equal((await desk.accept('waitlist', { ...body, [name]: answerOf(limit) })).kind, 'accepted')
    const refused = await desk.accept('waitlist', { ...body, [name]: answerOf(limit + 1) })
    assert.deepEqual(refused.kind === 'invalid' && refused.errors, {
      [name]: [`Use at most ${limit.toLocaleString('en')} characters`],
    })
  })
}

test('§8 the built-in form requires four fields', async (t) => {
  const db = await openTestDatabase(t)
  const refused = await aDesk(db).accept('waitlist', {})
  assert.deepEqual(refused.kind === 'invalid' && Object.keys(refused.errors), [
    'full_name',
    'email',
    'phone',
    'role',
  ])
})

test('§2.4 a submission from before revision 0011 is read by the same function', async (t) => {
  const db = openEmptySqlite(t)
  await migrate(db, { to: '0001' })
  const legacy = { full_name: 'Grace', email: 'grace@example.com', phone: null, role: 'Owner' }
  await db
    .insertInto('form_submissions')
    .values({ ...legacy, bottleneck: 'Time' })
    .execute()
  await migrate(db)
  const [submission, form] = [await findSubmission(db, 1, EVERY_LEAD), await findForm(db, 'waitlist')]
  assert.deepEqual(submission?.answers, { ...legacy, clients_managed: null, bottleneck: 'Time' })
  assert.equal(submission?.formId, form?.id)
})

test('§2.4 a legacy row without data_json is read from its columns', async (t) => {
  const db = await openTestDatabase(t)
  const form = await findForm(db, 'waitlist')
  assert.ok(form)
  const legacy = { full_name: 'Grace', email: 'grace@example.com', phone: null, role: 'Owner' }
  const { id } = await db
    .insertInto('form_submissions')
    .values({ ...legacy, form_id: form.id, submitted_at: '2024-01-02T03:04:05.000Z' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const submission = await findSubmission(db, id, EVERY_LEAD)
  assert.deepEqual(submission?.answers, { ...legacy, clients_managed: null, bottleneck: null })
  assert.deepEqual([submission?.clientId, submission?.status], [null, 'new'])
  assert.equal(submission?.submittedAt, '2024-01-02T03:04:05.000Z')
})
