import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { restoreFromTrash } from '#src/admin/trash/restore-from-trash.ts'
import { findRestoredState } from '#src/admin/trash/restored-state.ts'
import { NO_LIMITS, type Role } from '#src/auth/roles/role.ts'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { deleteTerm } from '#src/entries/terms/delete-term.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { trashPicture } from '#src/pictures/trash-picture.ts'
import { trashForm } from '#src/submissions/trash-form.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { goLive } from '../../support/live-release.ts'
import { aPicture } from '../../support/pictures.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const now = NOW.toISOString()

/** A site with a page, a place, a form, and a picture in the trash, newest last. */
async function someTrash(t: TestContext) {
  const db = await openTestDatabase(t)
  const app = { db, config: { dataDir: temporaryFolder(t) } }
  const page = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const place = (await addPlaces(db, 'ohio')).get('ohio') as number
  const form = await storeForm(db, 'quote', { status: 'draft' })
  const picture = (await savePicture(db, aPicture({ name: 'van.jpg' }), { now })).id
  const newest = async () => (await listTrash(db, { limit: 1 }))[0]?.id as number
  await deleteEntry(db, page, { now: NOW })
  const ids = { page: await newest(), place: 0, form: 0, picture: 0 }
  await deleteTerm(db, 'locations', place, { now: NOW })
  ids.place = await newest()
  await trashForm(db, form, { now })
  ids.form = await newest()
  await trashPicture(db, 'van.jpg', { now })
  ids.picture = await newest()
  const restore = (id: number, role: Role = 'owner') => {
    const administrator = { id: 4, email: 'ann@example.com', role, limits: NO_LIMITS }
    return restoreFromTrash({ locals: { app, administrator } } as never, id)
  }
  return { app, ids, page, place, form, picture, restore }
}

test('what comes back says where it is and what visitors see', async (t) => {
  const { ids, page, place, form, picture, restore } = await someTrash(t)
  const values: unknown[] = []
  for (const id of [ids.page, ids.place, ids.form, ids.picture]) {
    const outcome = await restore(id)
    assert.equal(outcome.kind, 'saved')
    values.push('value' in outcome && outcome.value)
  }
  const named = (action: string, name: string, noun: string) => ({
    action: `${action}.undeleted`,
    name,
    noun,
  })
  assert.deepEqual(values, [
    {
      ...{ ...named('entry', 'About', 'page'), id: page, state: 'pending' },
      ...{ area: 'Pages', to: `/admin/entries/pages/${page}` },
    },
    {
      ...{ ...named('term', 'Ohio', 'place'), id: place, state: 'pending' },
      ...{ area: 'Service areas', to: `/admin/taxonomies/locations/terms/${place}` },
    },
    {
      ...{ ...named('form', 'Contact', 'form'), id: form.id, state: 'hidden' },
      ...{ area: 'Forms', to: '/admin/forms/quote' },
    },
    {
      ...{ ...named('picture', 'van.jpg', 'picture'), id: picture, state: 'hidden' },
      ...{ area: 'Pictures', to: `/admin/pictures/${picture}` },
    },
  ])
  for (const id of Object.values(ids))
    assert.equal((await restore(id)).kind, 'not_found', 'it came back before')
})

test('a form comes back only by users who may edit forms', async (t) => {
  const { app, ids, restore } = await someTrash(t)
  assert.deepEqual(await restore(ids.form, 'editor'), { kind: 'refused', code: 'not_allowed' })
  assert.ok((await listTrash(app.db, { limit: 9 })).some(({ id }) => id === ids.form))
  assert.equal((await restore(ids.page, 'editor')).kind, 'saved')
})

test('visitors see what was restored before its deletion was published', async (t) => {
  const { app, ids, page, place, form, restore } = await someTrash(t)
  const sources = [`term:${place}`, `form:${form.id}`].map((key) => ({ key, hash: 'h', label: key }))
  await goLive(app.config.dataDir, {
    sources: sources as never,
    pages: [{ path: '/about', entryId: page, key: `entry:${page}` }],
  })
  for (const id of Object.values(ids)) await restore(id)
  const stateOf = (kind: 'entry' | 'term' | 'form', id: number) =>
    findRestoredState(app as never, { kind, id })
  assert.deepEqual(
    [await stateOf('entry', page), await stateOf('term', place), await stateOf('form', form.id)],
    ['live', 'live', 'live'],
  )
  await app.db.updateTable('content_entries').set({ status: 'draft' }).where('id', '=', page).execute()
  assert.deepEqual([await stateOf('entry', page), await stateOf('entry', 99_999)], ['hidden', 'hidden'])
  const other = await addEntry(app.db, 'pages', { slug: 'new', title: 'New' })
  assert.equal(await stateOf('entry', other), 'pending')
  const places = await addPlaces(app.db, 'maine', 'iowa', 'utah', 'idaho', 'texas')
  for (const id of places.values()) assert.equal(await stateOf('term', id), 'pending')
  const active = await storeForm(app.db, 'booking', { status: 'active' })
  assert.equal(await stateOf('form', active.id), 'pending')
})
