import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findVersionedForm } from '#src/admin/forms/versions/versioned-form.ts'
import { findVersionedTerm } from '#src/admin/taxonomies/versioned-term.ts'
import type { Versioned } from '#src/admin/versions/versioned.ts'
import { editTerm } from '#src/entries/terms/change-terms.ts'
import { type DraftDefinition, editForm } from '#src/forms/edit-form.ts'
import type { FormDefinition } from '#src/forms/form-definition.ts'
import { findForm } from '#src/forms/form-store.ts'
import { toFormSnapshot } from '#src/forms/history/record-form.ts'
import { formSettings } from '#src/messages/admin/forms.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import type { StoredVersion } from '#src/versions/version-store.ts'
import { listVersionContents } from '#src/versions/version-store.ts'
import { anAdminPage } from '../../../support/admin-page.ts'
import { storeForm } from '../../../support/forms.ts'
import { goLive } from '../../../support/live-release.ts'
import { addPlaces } from '../../../support/small-site.ts'

type Page = Awaited<ReturnType<typeof anAdminPage>>

const saving = () => ({ now: new Date(), by: { source: 'admin', email: 'ann@example.com' } as const })
const described = async (versioned: Versioned, before: unknown, after: unknown) =>
  (await versioned.describe(before, after)).map((one) => `${one.label}: ${one.before} → ${one.after}`)

/** The versions of something, newest first. */
const versionsOf = ({ db }: Page, { subject }: Versioned) => listVersionContents(db, subject, { limit: 9 })
const newest = async (page: Page, versioned: Versioned) =>
  (await versionsOf(page, versioned))[0] as StoredVersion

const publish = async ({ db, app }: Page) =>
  goLive(app.config.dataDir, { facts: { position: await findLogEnd(db) } })

test('a form has versions, which compare its parts by their labels', async (t) => {
  const page = await anAdminPage(t)
  const { db, open, userId } = page
  const fields = [
    { name: 'full_name', label: 'Name' },
    { name: 'email', label: 'Email' },
  ]
  const before = toFormSnapshot(await storeForm(db, 'quote', { name: 'Quote', fields }))
  const find = async () => {
    const found = await findVersionedForm(open('/admin/x', { params: { form: 'quote' } }))
    assert.ok(found)
    return found
  }
  const change = async (to: (definition: FormDefinition) => DraftDefinition) => {
    const outcome = await editForm(db, 'quote', to, { updatedBy: userId, ...saving() })
    assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
  }
  const versioned = await find()
  assert.partialDeepStrictEqual(versioned, { name: 'Quote', self: '/admin/forms/quote', now: before })
  assert.deepEqual(versioned.trail, [{ href: '/admin/forms/quote', label: 'Quote' }])
  // Nothing was published.
  assert.equal(await versioned.findShown(), 'none')
  const after = structuredClone(before)
  Object.assign(after, { name: 'Get a quote', status: 'draft' })
  Object.assign(after.settings, { success_body: 'Thanks!', retention_days: 30 })
  after.fields.reverse()
  Object.assign(after.fields[1] ?? {}, { help_text: 'In full', required: true })
  assert.deepEqual(await described(versioned, before, after), [
    'Name: Quote → Get a quote',
    `Status: ${formSettings.statuses.active} → ${formSettings.statuses.draft}`,
    'Text after sending:  → Thanks!',
    'Delete after (days):  → 30',
    'Question “Name”: Required: No → Yes',
    'Question “Name”: Help text:  → In full',
    'Order of questions: Name\nEmail → Email\nName',
  ])
  assert.deepEqual(versioned.listLabels(before, after), [
    ...[
      'Name',
      'Status',
      'Text after sending',
      'Delete after (days)',
      'Question “Name”',
      'Order of questions',
    ],
  ])
  const markdown = (await versioned.describe(before, after)).filter(({ isMarkdown }) => isMarkdown)
  assert.deepEqual(
    markdown.map(({ label }) => label),
    ['Text after sending'],
  )
  const added = {
    ...before,
    fields: [...before.fields, { ...before.fields[0], name: 'role', label: 'Role' }],
  }
  const [role] = await described(versioned, before, added)
  assert.equal(role, 'Question “Role”:  → Key: role\nAnswer type: Short text\nQuestion: Role')
  await change((definition) => ({ ...definition, name: 'Get a quote' }))
  await change((definition) => ({ ...definition, status: 'draft' }))
  // Visitors don't see a form that isn't active.
  assert.equal(await (await find()).findShown(), 'unknown')
  const first = (await versionsOf(page, versioned)).at(-1)
  assert.ok(first)
  const outcome = await (await find()).restore(first.version, undefined)
  assert.deepEqual(outcome, { kind: 'saved', value: { to: '/admin/forms/quote' } })
  assert.deepEqual((await findForm(db, 'quote'))?.name, 'Quote')
  assert.equal((await newest(page, versioned)).version.source, 'restored')
  // Of a published form, visitors see the versions up to the publish.
  await publish(page)
  assert.equal(await (await find()).findShown(), 'all')
  await change((definition) => ({ ...definition, name: 'Later' }))
  assert.deepEqual(Object.keys(await (await find()).findShown()), ['until'])
  assert.partialDeepStrictEqual((await find()).record, { action: 'form.restored', id: versioned.subject.id })
  const gone = { ...first.version, id: 9_999 }
  assert.equal((await (await find()).restore(gone, undefined)).kind, 'not_found')
  assert.equal(await findVersionedForm(open('/admin/x', { params: { form: 'gone' } })), undefined)
})

test('a place has versions, below the places that contain it', async (t) => {
  const page = await anAdminPage(t)
  const { db, open } = page
  const ids = await addPlaces(db, 'texas/austin', 'ohio')
  const [texas = 0, austin = 0, ohio = 0] = ['texas', 'austin', 'ohio'].map((slug) => ids.get(slug))
  const find = (id: number, slug = 'locations') =>
    findVersionedTerm(open('/admin/x', { params: { slug, id: String(id) } }))
  const versioned = await find(austin)
  assert.ok(versioned)
  const self = `/admin/taxonomies/locations/terms/${austin}`
  assert.partialDeepStrictEqual(versioned, { name: 'Austin', self, subject: { kind: 'term', id: austin } })
  assert.deepEqual(
    versioned.trail.map(({ label, href }) => [label, href]),
    [
      [versioned.trail[0]?.label, '/admin/taxonomies/locations'],
      ['Texas', `/admin/taxonomies/locations/terms/${texas}`],
      ['Austin', self],
    ],
  )
  assert.equal(await versioned.findShown(), 'none')
  const before = { name: 'Austin', slug: 'austin', description: null, parentId: texas, kind: null }
  assert.deepEqual(versioned.now, before)
  const after = {
    ...before,
    name: 'Austin, TX',
    description: 'Capital',
    parentId: ohio,
    kind: 'city' as const,
  }
  const changes = await versioned.describe(before, after)
  assert.deepEqual(
    changes.map(({ key, before: former, after: next }) => [key, former, next]),
    [
      ['name', 'Austin', 'Austin, TX'],
      ['description', '', 'Capital'],
      ['parentId', 'Texas', 'Ohio'],
      ['kind', '', changes[3]?.after],
    ],
  )
  assert.match(changes[3]?.after ?? '', /^City/)
  assert.deepEqual(
    versioned.listLabels(before, after),
    changes.map(({ label }) => label),
  )
  assert.equal(new Set(changes.map(({ label }) => label)).size, 4)
  // A place in none, and one in a deleted place.
  const moved = async (parentId: number | null) =>
    (await versioned.describe(before, { ...before, parentId }))[0]?.after
  assert.deepEqual([await moved(null), await moved(9_999)], ['', '#9999 (deleted)'])
  assert.equal((await versioned.describe(undefined, before)).length, 3)
  const edited = await editTerm(
    db,
    'locations',
    { termId: austin, edit: { ...before, name: 'ATX', description: 'Capital' } },
    saving(),
  )
  assert.equal(edited.kind, 'saved', JSON.stringify(edited))
  const first = (await versionsOf(page, versioned)).at(-1)
  assert.ok(first)
  const only = await versioned.restore(first.version, new Set(['name']))
  assert.deepEqual(only, { kind: 'saved', value: { to: self } })
  assert.partialDeepStrictEqual((await find(austin))?.now, { name: 'Austin', description: 'Capital' })
  await versioned.restore(first.version, undefined)
  assert.partialDeepStrictEqual((await find(austin))?.now, { description: null })
  assert.equal((await newest(page, versioned)).version.source, 'restored')
  assert.equal((await versioned.restore({ ...first.version, id: 9_999 }, undefined)).kind, 'not_found')
  await publish(page)
  assert.equal(await versioned.findShown(), 'all')
  const later = { termId: austin, edit: { ...before, name: 'Later' } }
  assert.equal((await editTerm(db, 'locations', later, saving())).kind, 'saved')
  assert.deepEqual(Object.keys(await versioned.findShown()), ['until'])
  assert.partialDeepStrictEqual(versioned.record, { action: 'term.restored', id: austin })
  assert.deepEqual([await find(9_999), await find(austin, 'gone')], [undefined, undefined])
})
