import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStages } from '#src/submissions/stages/stage-store.ts'
import { placed } from '../../support/wording.ts'
import { openWorkspace } from './workspace.ts'

const aSite = (...stages: string[]) =>
  `name: Shannon Plumbing\nstages:\n${stages.map((one) => `  - ${one}\n`).join('')}`

test('a stage can be removed from site.yaml if it is replaced or has no leads', async (t) => {
  const [first, quoted] = ['{ slug: new, name: Fresh }', '{ slug: quoted, name: Quoted }']
  const workspace = await openWorkspace(t, {
    'site.yaml': aSite(first, quoted, '{ slug: sold, name: Sold, counts_as: won }'),
  })
  const { db } = workspace
  await workspace.synced()
  await db.insertInto('form_submissions').values({ form_id: 1, data_json: '{}', stage: 'quoted' }).execute()
  workspace.write('site.yaml', aSite(first))
  const refused = await workspace.sync()
  assert.deepEqual(refused.kind === 'mistakes' && refused.mistakes.map(placed), [
    'site.yaml:1: the stage quoted still has leads, expected this slug in stages, or in another stage’s replaces',
  ])
  workspace.write('site.yaml', aSite(first, '{ slug: won, name: Won, counts_as: won, replaces: [quoted] }'))
  await workspace.synced()
  assert.deepEqual(
    (await findStages(db)).map(({ slug }) => slug),
    ['new', 'won'],
  )
  for (const stages of [
    [quoted, first],
    [first, quoted, quoted],
    [first, '{ slug: A b, name: x }'],
  ]) {
    workspace.write('site.yaml', aSite(...stages))
    assert.equal((await workspace.sync()).kind, 'mistakes', stages.join())
  }
})
