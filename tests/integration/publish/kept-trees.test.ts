import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { keepTrees } from '#src/publish/changes/kept-trees.ts'
import { openTestDatabase } from '../../support/database.ts'
import { pgliteEngine } from '../../support/postgres-engine.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

async function keepThroughEdits(db: Kysely<Schema>) {
  await addPlaces(db, 'usa/texas')
  const trees = keepTrees()
  const namesIn = async () => [...(await trees.load(db)).locations.byId.values()].map(({ name }) => name)
  const first = await trees.load(db)
  await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  assert.equal(await trees.load(db), first)
  await addPlaces(db, 'canada')
  assert.equal((await namesIn()).length, 3)
  await db
    .updateTable('taxonomy_terms')
    .set({ name: 'The Lone Star State' })
    .where('slug', '=', 'texas')
    .execute()
  assert.ok((await namesIn()).includes('The Lone Star State'))
  const last = await trees.load(db)
  assert.equal(await trees.load(db), last)
  await db.updateTable('taxonomies').set({ slug: 'regions' }).where('slug', '=', 'locations').execute()
  assert.deepEqual(await namesIn(), [])
}

test('places are loaded again only after a term or a taxonomy is saved', async (t) => {
  await keepThroughEdits(await openTestDatabase(t))
})

test('the same on PostgreSQL', async (t) => {
  const engine = pgliteEngine()
  t.after(() => engine.close())
  await keepThroughEdits(await engine.openMigrated())
})

test('places are loaded again after the change log was cut', async (t) => {
  const db = await openTestDatabase(t)
  await addPlaces(db, 'usa')
  const trees = keepTrees()
  const first = await trees.load(db)
  await addPlaces(db, 'canada')
  await db.deleteFrom('content_changes').execute()
  await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  const second = await trees.load(db)
  assert.notEqual(second, first)
  assert.equal(second.locations.roots.length, 2)
})
