import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { addPlaces } from '../../support/small-site.ts'
import { storeFormWithLeads } from '../../support/stored/leads.ts'

async function aLeadIn(site: AdminSite, place: string): Promise<{ id: number; formId: number }> {
  const { form, leads } = await storeFormWithLeads(site.app, `form-${place}`)
  const [{ id }] = leads
  const { db } = site.app
  const term = await db.selectFrom('taxonomy_terms').select('id').where('slug', '=', place).executeTakeFirst()
  await db
    .updateTable('form_submissions')
    .set({ location_id: term?.id ?? 0 })
    .where('id', '=', id)
    .execute()
  return { id, formId: form.id }
}

async function assigneesOf(person: Person, id: number): Promise<string[]> {
  const page = await readAnswer(await person.fetch(`/admin/inbox/${id}`))
  const { options } = page.getByRole<HTMLSelectElement>('combobox', { name: 'Assigned to' })
  return [...options].slice(1).map(({ text }) => text.trim())
}

async function assigneeOf({ app: { db } }: AdminSite, id: number): Promise<number | null> {
  const row = await db.selectFrom('form_submissions').select('assignee_id').where('id', '=', id).execute()
  return row[0]?.assignee_id ?? null
}

test('a lead can be assigned only to users with access to it, and others aren’t listed', async (t) => {
  const site = await startAdmin(t)
  const ids = await addPlaces(site.app.db, 'salem', 'bend')
  const [salem, bend] = ['salem', 'bend'].map((slug) => ids.get(slug) as number)
  assert.ok(salem && bend)
  const lead = await aLeadIn(site, 'salem')
  const own = await addPerson(site, 'office', { places: [salem] })
  const colleague = await addPerson(site, 'manager', { forms: [lead.formId] })
  const others = [
    await addPerson(site, 'office', { places: [bend] }),
    await addPerson(site, 'office', { places: [salem], forms: [] }),
    await addPerson(site, 'viewer'),
    await addPerson(site, 'editor'),
  ]
  const named = await assigneesOf(own, lead.id)
  assert.ok(named.includes(own.email) && named.includes(colleague.email), String(named))
  for (const { email, id } of others) {
    assert.ok(!named.includes(email), `${email} is named`)
    await own.post(`/admin/inbox/${lead.id}/progress`, { stage: 'quoted', assignee: String(id) })
    assert.equal(await assigneeOf(site, lead.id), null, `assigned to ${email}`)
  }
  await own.post(`/admin/inbox/${lead.id}/progress`, { stage: 'quoted', assignee: String(colleague.id) })
  assert.equal(await assigneeOf(site, lead.id), colleague.id)
})

test('the assignees of a lead cost the same queries with one user as with many', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const ids = await addPlaces(db, 'salem', 'bend')
  const salem = ids.get('salem') as number
  await db
    .updateTable('taxonomy_terms')
    .set({ parent_id: salem })
    .where('id', '=', ids.get('bend') as number)
    .execute()
  const lead = await aLeadIn(site, 'bend')
  await site.fetch(`/admin/inbox/${lead.id}`)
  const one = await addPerson(site, 'office', { places: [salem] })
  const cost = await site.countQueries(() => site.read(`/admin/inbox/${lead.id}`))
  const others = []
  for (let n = 0; n < 8; n++) others.push(await addPerson(site, 'office', { places: [salem] }))
  assert.equal(await site.countQueries(() => site.read(`/admin/inbox/${lead.id}`)), cost)
  const named = await assigneesOf(one, lead.id)
  for (const { email } of [one, ...others])
    assert.ok(named.includes(email), `${email} covers the place above`)
  await db.deleteFrom('taxonomy_terms').where('slug', '=', 'bend').execute()
  const left = await site.open(`/admin/inbox/${lead.id}`)
  const { options } = left.getByRole<HTMLSelectElement>('combobox', { name: 'Assigned to' })
  assert.ok(
    ![...options].some(({ text }) => text.includes(one.email)),
    'a deleted place is outside every limit',
  )
})

test('an assignee who lost access stays until another is chosen', async (t) => {
  const site = await startAdmin(t)
  const lead = await aLeadIn(site, 'salem')
  const former = await addPerson(site, 'office')
  const own = await addPerson(site, 'office')
  const { db } = site.app
  await own.post(`/admin/inbox/${lead.id}/progress`, { stage: 'quoted', assignee: String(former.id) })
  await db.updateTable('admin_users').set({ role: 'editor' }).where('id', '=', former.id).execute()
  assert.ok((await assigneesOf(own, lead.id)).includes(former.email))
  await own.post(`/admin/inbox/${lead.id}/progress`, { stage: 'won', assignee: String(former.id) })
  assert.equal(await assigneeOf(site, lead.id), former.id)
})

test('delivery filters list no form or webhook beyond the user’s limits', async (t) => {
  const site = await startAdmin(t)
  const [own] = [await aLeadIn(site, 'salem'), await aLeadIn(site, 'bend')]
  const manager = await addPerson(site, 'manager', { forms: [own.formId] })
  const html = await (await manager.fetch('/admin/deliveries')).text()
  assert.match(html, /form-salem/)
  assert.doesNotMatch(html, /form-bend/)
})

test('limited users see no colleague’s email address in publish and version history', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const ids = await addPlaces(db, 'salem')
  const author = await addPerson(site, 'editor')
  const page = await db
    .selectFrom('content_entries')
    .innerJoin('content_types', 'content_types.id', 'content_entries.type_id')
    .select(['content_entries.id', 'content_entries.title'])
    .where('content_types.slug', '=', 'services')
    .executeTakeFirstOrThrow()
  const version = {
    ...{
      subject_kind: 'entry' as const,
      subject_id: page.id,
      state: 'saved' as const,
      source: 'admin' as const,
    },
    ...{ saved_by: author.email, saved_at: '2026-11-20T10:00:00.000Z', content_sha256: 'a' },
  }
  const content = zstdCompressSync(JSON.stringify({ title: page.title }))
  await db
    .insertInto('content_versions')
    .values({ ...version, content })
    .execute()
  await db.updateTable('publishes').set({ user_id: author.id, started_by: 'admin' }).execute()
  const publish = await db.selectFrom('publishes').select('id').limit(1).executeTakeFirstOrThrow()
  const limited = await addPerson(site, 'viewer', { places: [ids.get('salem') as number] })
  const free = await addPerson(site, 'viewer')
  const versions = `/admin/entries/services/${page.id}/versions`
  for (const path of [versions, '/admin/publish', `/admin/publish/${publish.id}`]) {
    const [seen, whole] = [await (await limited.fetch(path)).text(), await (await free.fetch(path)).text()]
    assert.ok(whole.includes(author.email), `${path} names who did it`)
    assert.ok(!seen.includes(author.email), path)
    assert.match(seen, /a colleague/, path)
  }
})
