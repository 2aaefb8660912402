import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyStages } from '#src/submissions/stages/apply-stages.ts'
import { countInStage, findStages } from '#src/submissions/stages/stage-store.ts'
import { openTestDatabase } from '../../support/database.ts'

const STAGES = [
  { slug: 'new', name: 'New' },
  { slug: 'quoted', name: 'Quoted', replaces: ['called'] },
  { slug: 'sold', name: 'Sold', counts_as: 'won', replaces: ['won'] },
]

test('leads move to the stage that replaces theirs, and count as won as their stage does', async (t) => {
  const db = await openTestDatabase(t)
  const add = (stage: string, is_won: 0 | 1, count = 1) =>
    db
      .insertInto('form_submissions')
      .values(Array.from({ length: count }, () => ({ form_id: null, data_json: '{}', stage, is_won })))
      .execute()
  await add('new', 0)
  await add('called', 0, 203)
  await add('quoted', 1)
  await add('sold', 0)
  await add('won', 1)
  await add('other', 1)
  const value_json = JSON.stringify({ stages: STAGES })
  await db.deleteFrom('settings').where('key', '=', 'site').execute()
  assert.ok((await findStages(db)).length > 0)
  await db.insertInto('settings').values({ key: 'site', value_json }).execute()
  const stages = async () => {
    const rows = await db.selectFrom('form_submissions').select(['stage', 'is_won']).execute()
    const groups = Map.groupBy(rows, ({ stage, is_won }) => `${stage} ${is_won}`)
    return Object.fromEntries([...groups].map(([key, { length }]) => [key, length]))
  }
  const before = await stages()
  await applyStages(db, { signal: AbortSignal.abort() })
  assert.deepEqual(await stages(), before)
  await applyStages(db)
  assert.deepEqual(await stages(), { 'new 0': 1, 'quoted 0': 204, 'sold 1': 2, 'other 1': 1 })
  assert.deepEqual(
    [await countInStage(db, 'quoted', { most: 9 }), await countInStage(db, 'new', { most: 9 })],
    [9, 1],
  )
})
