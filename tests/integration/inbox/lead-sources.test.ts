import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { composeMail } from '#src/notifications/compose-mail.ts'
import { findMailLook } from '#src/site/settings/mail-look.ts'
import { exportCsv, exportJson } from '#src/submissions/inbox/export-submissions.ts'
import { listInbox } from '#src/submissions/inbox/list-inbox.ts'
import { describeSubmission } from '#src/submissions/intake/notification-content.ts'
import { listSources } from '#src/submissions/sources/source-store.ts'
import { submissionMeta } from '#src/webhooks/body/submission-meta.ts'
import { findSubject } from '#src/webhooks/body/submission-subject-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, assertStored } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const NEW_LEADS = { statuses: ['new'] as const }

async function someLeads(t: Parameters<typeof openTestDatabase>[0]) {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const desk = aDesk(db)
  const accept = async (last: object, first = last) =>
    assertStored(await desk.accept('quote', { _source: JSON.stringify({ first, last }) })).id
  const ad = await accept({ gclid: '=1+1', utm_campaign: 'boilers' }, { referrer: 'https://www.bing.com/' })
  const search = await accept({ referrer: 'https://www.google.com/' })
  const direct = await accept({ landing_page: '/' })
  return { db, ad, search, direct }
}

test('the inbox shows the leads of one source', async (t) => {
  const { db, ad, search, direct } = await someLeads(t)
  assert.deepEqual(await listSources(db, EVERY_LEAD), ['ads:google', 'direct', 'search:google'])
  const idsOf = async (source: string | undefined) =>
    (await listInbox(db, { scope: EVERY_LEAD, ...NEW_LEADS, source })).submissions.map(({ id }) => id)
  assert.deepEqual(await idsOf('ads:google'), [ad])
  assert.deepEqual(await idsOf('search:bing'), [])
  assert.deepEqual(await idsOf(undefined), [direct, search, ad])
})

test('exports have the first and the last touch', async (t) => {
  const { db } = await someLeads(t)
  const csv = (await Array.fromAsync(exportCsv(db, { ...NEW_LEADS, scope: EVERY_LEAD })))
    .join('')
    .split('\r\n')
  const titles = (csv[0] ?? '').replace('\ufeff', '').split(',')
  const cells = (csv[3] ?? '').split(',')
  const cellOf = (title: string) => cells[titles.indexOf(title)]
  assert.deepEqual(['source', 'utm_campaign', 'gclid', 'first_referrer', 'first_gclid'].map(cellOf), [
    'ads:google',
    'boilers',
    "'=1+1",
    'https://www.bing.com/',
    '',
  ])
  const [, , lead] = JSON.parse(
    (await Array.fromAsync(exportJson(db, { ...NEW_LEADS, scope: EVERY_LEAD }))).join(''),
  )
  assert.deepEqual([lead.source, lead.gclid, lead.first_utm_campaign], ['ads:google', '=1+1', null])
})

test('contract §8 `meta` has the keys of the last touch, and of the first with `first_` before them', async (t) => {
  const { db, ad } = await someLeads(t)
  const subject = await findSubject(db, ad)
  assert.ok(subject)
  const meta = submissionMeta(subject.submission, { siteUrl: 'https://www.example.com' })
  assert.deepEqual(
    [meta.gclid, meta.utm_campaign, meta.referrer, meta.first_referrer, meta.first_gclid, meta.first_at],
    ['=1+1', 'boilers', null, 'https://www.bing.com/', null, null],
  )
})

test('`meta` and exports have the kind of the last and of the first source', async (t) => {
  const { db, ad, search, direct } = await someLeads(t)
  const kindsOf = async (id: number) => {
    const meta = submissionMeta((await findSubject(db, id))?.submission as never, { siteUrl: '' })
    return [meta.source_kind, meta.first_source_kind]
  }
  const kinds = [
    ['ads', 'search'],
    ['search', 'search'],
    ['direct', 'direct'],
  ]
  assert.deepEqual(await Promise.all([ad, search, direct].map(kindsOf)), kinds)
  const json = (await Array.fromAsync(exportJson(db, { ...NEW_LEADS, scope: EVERY_LEAD }))).join('')
  const leads: { source_kind: string; first_source_kind: string }[] = JSON.parse(json)
  assert.deepEqual(leads.map((lead) => [lead.source_kind, lead.first_source_kind]).reverse(), kinds)
})

test('`meta`, exports, and emails have the pages seen, and emails another first visit', async (t) => {
  const { db, ad } = await someLeads(t)
  const source = {
    first: { at: '2026-11-01T10:00:00.000Z', utm_source: 'van' },
    last: { at: '2026-11-20T10:00:00.000Z', gclid: 'x' },
    pages: ['/', '/about'],
  }
  await db
    .updateTable('form_submissions')
    .set({ source_json: JSON.stringify(source) })
    .where('id', '=', ad)
    .execute()
  const site = { siteUrl: 'https://www.example.com' }
  const meta = submissionMeta((await findSubject(db, ad))?.submission as never, site)
  assert.equal(meta.pages_seen, '/, /about')
  const json = (await Array.fromAsync(exportJson(db, { ...NEW_LEADS, scope: EVERY_LEAD }))).join('')
  const lead = (JSON.parse(json) as { id: number; pages_seen: string }[]).find(({ id }) => id === ad)
  assert.equal(lead?.pages_seen, '/, /about')
  const { form_id: formId } = await db
    .selectFrom('form_submissions')
    .select('form_id')
    .where('id', '=', ad)
    .executeTakeFirstOrThrow()
  const of = { submissionId: ad, formId, recipient: 'a@example.com' }
  const content = await describeSubmission(db, of, { ...site, look: await findMailLook(db, site) })
  assert.ok(content)
  const { text } = composeMail(content)
  assert.match(text, /^First visit:\s+Tagged link: van$/m)
  assert.match(text, /^Pages seen:\s+\/, \/about$/m)
})

test('conditions of recipients compare the kind of source when a lead arrives', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote', {
    settings: {
      notifications: [
        { to: ['ads@example.com'], when: { 'meta.source_kind': 'ads' } },
        { to: ['office@example.com'], fallback: true },
      ],
    },
  })
  const desk = aDesk(db, { sendsMail: true })
  for (const last of [{ gclid: 'x' }, { referrer: 'https://www.google.com/' }])
    await desk.accept('quote', { _source: JSON.stringify({ last }) })
  const mails = await db.selectFrom('notification_mails').select('recipient').orderBy('id').execute()
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['ads@example.com', 'office@example.com'],
  )
})
