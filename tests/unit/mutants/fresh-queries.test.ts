import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type At, inGroups, prepareQuery } from '#scripts/mutants/fresh-queries.ts'
import { openTestDatabase } from '../../support/database.ts'

test('prepared queries are rebuilt at every run during mutation testing', async (t) => {
  const db = await openTestDatabase(t)
  let slug = 'waitlist'
  const find = prepareQuery((db, at: At<{ status: 'active' }>) => {
    const forms = db.selectFrom('forms').select('slug').where('slug', '=', slug)
    return forms.where('status', '=', at('status')).compile()
  })
  assert.deepEqual((await find(db, { status: 'active' })).rows, [{ slug: 'waitlist' }])
  slug = 'none'
  assert.deepEqual((await find(db, { status: 'active' })).rows, [])
  assert.deepEqual(inGroups([1, 2, 3]), [[1, 2], [3]])
})
