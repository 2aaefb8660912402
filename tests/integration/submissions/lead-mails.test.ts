import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { composeMail } from '#src/notifications/compose-mail.ts'
import type { MailContent } from '#src/notifications/mail-content.ts'
import { findMailLook } from '#src/site/settings/mail-look.ts'
import { describeSubmission } from '#src/submissions/intake/notification-content.ts'
import { describeReply } from '#src/submissions/intake/reply-content.ts'
import { composeSampleMail, composeSampleReply } from '#src/submissions/intake/sample-mails.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

const SITE = { siteUrl: 'https://www.example.com' }
const REPLY = { subject: 'Thanks', text: 'We call you.' }

async function aFormWithHiddenFields(db: Kysely<Schema>) {
  const hidden = (name: string, default_value: string | null) => ({
    ...{ name, label: name, type: 'hidden' as const, default_value },
  })
  return storeForm(db, 'quote', {
    fields: [
      { name: 'email', label: 'Email', type: 'email' },
      { name: 'topic', label: 'Topic', default_value: 'website' },
      ...[hidden('constant', 'website'), hidden('partner', 'website'), hidden('blank', null)],
    ],
    settings: { reply: REPLY },
  })
}

async function addLead(db: Kysely<Schema>, formId: number, row: Partial<Record<string, unknown>> = {}) {
  const { id } = await db
    .insertInto('form_submissions')
    .values({ form_id: formId, data_json: '{}', submitted_at: '2026-11-20T10:00:00.000Z', ...row })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function describe(db: Kysely<Schema>, submissionId: number, formId: number | null) {
  const about = { submissionId, formId, recipient: 'office@example.com' }
  return describeSubmission(db, about, { ...SITE, look: await findMailLook(db, SITE) })
}

test('a notification leaves out hidden fields without an answer of their own', async (t) => {
  const db = await openTestDatabase(t)
  const form = await aFormWithHiddenFields(db)
  const answers = { topic: 'website', constant: 'website', partner: 'radio', blank: '' }
  const id = await addLead(db, form.id, {
    data_json: JSON.stringify({ email: 'ann@example.com', ...answers }),
  })
  const content = await describe(db, id, form.id)
  assert.deepEqual(
    content?.answers.map(({ label, text }) => `${label}: ${text}`),
    ['Email: ann@example.com', 'Topic: website', 'partner: radio'],
  )
  assert.equal(content?.replyTo, 'ann@example.com')
})

test('a notification says from which page and how the visitor came, if known', async (t) => {
  const db = await openTestDatabase(t)
  const form = await aFormWithHiddenFields(db)
  const told = async (row: Record<string, unknown>) => {
    const content = await describe(db, await addLead(db, form.id, row), form.id)
    const { pageUrl, cameFrom, firstVisit, pagesSeen } = content as MailContent
    return { pageUrl, cameFrom, firstVisit, pagesSeen }
  }
  const nothing = { pageUrl: undefined, cameFrom: undefined, firstVisit: undefined, pagesSeen: [] }
  assert.deepEqual(await told({}), nothing)
  assert.deepEqual(await told({ source: 'unknown', page_path: '/a' }), {
    ...nothing,
    pageUrl: 'https://www.example.com/a',
  })
  const last = { at: '2026-11-20T10:00:00.000Z', gclid: 'x', utm_campaign: 'spring' }
  const sourceOf = (source: object) => ({ source: 'ads:google', source_json: JSON.stringify(source) })
  const came = { ...nothing, cameFrom: 'Google Ads, campaign spring' }
  assert.deepEqual(await told(sourceOf({ first: last, last, pages: ['/'] })), came)
  const first = { at: '2026-11-01T10:00:00.000Z', referrer: 'https://www.bing.com/' }
  assert.deepEqual(await told(sourceOf({ first, last, pages: ['/', '/a'] })), {
    ...came,
    ...{ firstVisit: 'Bing search', pagesSeen: ['/', '/a'] },
  })
})

test('spam, and leads or forms that were deleted, have no emails', async (t) => {
  const db = await openTestDatabase(t)
  const form = await aFormWithHiddenFields(db)
  const id = await addLead(db, form.id)
  const look = await findMailLook(db, SITE)
  const replyTo = (submissionId: number, formId: number | null) =>
    describeReply(db, { submissionId, formId }, { ...SITE, look })
  assert.equal(await describe(db, 99, form.id), undefined)
  assert.equal(await describe(db, id, null), undefined)
  assert.deepEqual(await replyTo(99, form.id), { reason: 'reply_off' })
  assert.deepEqual(await replyTo(id, null), { reason: 'reply_off' })
  const content = await replyTo(id, form.id)
  assert.ok('subject' in content)
  assert.deepEqual([content.subject, content.text, content.replyTo], ['Thanks', 'We call you.', undefined])
  await db.updateTable('form_submissions').set({ status: 'spam' }).execute()
  assert.equal(await describe(db, id, form.id), undefined)
  assert.deepEqual(await replyTo(id, form.id), { reason: 'spam' })
  await db.updateTable('form_submissions').set({ status: 'new' }).execute()
  await storeForm(db, 'quote')
  assert.deepEqual(await replyTo(id, form.id), { reason: 'reply_off' })
})

test('a sample lead is about the first service and place, or about none', async (t) => {
  const db = await openTestDatabase(t)
  await db.deleteFrom('content_entries').execute()
  const form = await storeForm(db, 'quote', {
    fields: [
      { name: 'kind', label: 'Kind', type: 'select', options: ['Repair/fix'] },
      { name: 'name', label: 'Name' },
    ],
  })
  const options = { ...SITE, look: await findMailLook(db, SITE), now: new Date('2026-11-20T10:00:00.000Z') }
  const subject = '{{ meta.service_name }} in {{ meta.location_name }} ({{ meta.location_slug }}): {{ kind }}'
  const subjectOf = async () => (await composeSampleMail(db, form, { subject, text: null }, options)).subject
  assert.equal(await subjectOf(), 'in (): fix')
  await addEntry(db, 'services', { slug: 'roofing', title: 'Roofing' })
  await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  await addPlaces(db, 'ohio/dayton')
  assert.equal(await subjectOf(), 'Drains in Dayton (dayton): fix')
  const reply = await composeSampleReply(db, form, { ...REPLY, subject }, options)
  assert.equal(reply.subject, 'Drains in Dayton (dayton): fix')
})

test('a notification has the texts of its recipient’s rule, whose conditions follow renamed places', async (t) => {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'ohio/dayton')
  const dayton = places.get('dayton') ?? 0
  await db
    .updateTable('taxonomy_terms')
    .set({ former_slugs_json: '["day-town"]' })
    .where('id', '=', dayton)
    .execute()
  const service = await addEntry(db, 'services', { slug: 'roofing', title: 'Roofing' })
  const subject = '{{ meta.service_name }}: {{ kind.label }}'
  const form = await storeForm(db, 'quote', {
    fields: [
      { name: 'name', label: 'Name' },
      { name: 'kind', label: 'Kind', type: 'select', options: ['Repair/fix', 'New/new'] },
    ],
    settings: {
      notifications: [
        { to: ['office@example.com'], when: { 'meta.location_slug': 'day-town' }, subject },
        { to: ['office@example.com'], fallback: true, subject: 'Other' },
      ],
    },
  })
  const place = { location_id: dayton, location_slug: 'dayton', location_path: 'ohio/dayton' }
  const answers = { data_json: JSON.stringify({ kind: 'fix', extra: 'x' }) }
  const roofing = { service_id: service, service_slug: 'roofing' }
  const told = async (row: object) => {
    const content = (await describe(
      db,
      await addLead(db, form.id, { ...answers, ...row }),
      form.id,
    )) as MailContent
    const { serviceName, places, templates } = content
    return [composeMail(content).subject, serviceName, places.join(), templates.subject]
  }
  assert.deepEqual(await told({ ...place, ...roofing }), [
    ...['Roofing: Repair', 'Roofing', 'Dayton,Ohio', subject],
  ])
  assert.deepEqual(await told({ ...place, ...roofing, service_name: 'Roofs' }), [
    ...['Roofs: Repair', 'Roofing', 'Dayton,Ohio', subject],
  ])
  assert.deepEqual(await told({}), ['Other', undefined, '', 'Other'])
})
