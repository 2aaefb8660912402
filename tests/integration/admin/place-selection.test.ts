import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceEntryTerms } from '#src/entries/entry-store.ts'
import { startAdmin } from '../../support/admin.ts'

const LOCATIONS = { name: /^Service areas/ }

test('the editor of a service or local page has one selection of places', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const { id, type_id } = await db
    .selectFrom('content_entries')
    .select(['id', 'type_id'])
    .where('slug', '=', 'ac-repair')
    .executeTakeFirstOrThrow()
  const path = `/admin/entries/services/${id}`
  const service = await site.open(path)
  service.getByLabelText(/^Offered in/)
  service.getByRole('group', { name: /^Service categories/i })
  assert.equal(service.queryAllByRole('group', LOCATIONS).length, 0)
  const local = await site.open('/admin/entries/location_services/new')
  assert.equal(local.queryAllByRole('group', LOCATIONS).length, 0)
  ;(await site.open('/admin/entries/pages/new')).getByRole('group', LOCATIONS)

  // Selected in a content file, it stays visible and is kept.
  const term = await db
    .selectFrom('taxonomy_terms')
    .select('id')
    .where('slug', '=', 'austin')
    .executeTakeFirstOrThrow()
  await replaceEntryTerms(db, type_id, new Map([[id, [term.id]]]))
  const group = (await site.open(path)).part('group', LOCATIONS)
  assert.ok(group.getByLabelText<HTMLInputElement>('Austin').checked)
})
