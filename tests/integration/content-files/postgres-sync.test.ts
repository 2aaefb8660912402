import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { aService, LOCATIONS, NOW, openWorkspace, secretBox } from './workspace.ts'

test('a sync on PostgreSQL adds, changes, removes, and then does nothing', async (t) => {
  const engine = postgresEngine()
  t.after(() => engine.close())
  const db = await engine.openMigrated()
  const workspace = await openWorkspace(t, {
    'site.yaml': 'name: A business\n',
    'taxonomies/locations.yaml': LOCATIONS,
    'services/ac-repair.md': aService({ offeredIn: ['texas/**'], more: 'terms: { locations: [austin] }\n' }),
    'location_services/ac-repair/austin.md': '---\ncity: Austin\n---\n',
    'forms/quote.yaml':
      'name: Quote\nfields: [{ name: email, label: E-mail }]\nwebhooks: [{ url: "https://a.example/" }]\n',
  })
  const sync = async () => {
    const result = await syncContent(db, { ...workspace, environment: {}, secretBox, now: NOW })
    assert.equal(result.kind, 'synced', JSON.stringify(result))
    const { added, changed, removed, locationServices } = result.changes
    return [added.length, changed.length, removed.length, locationServices.added, locationServices.removed]
  }
  assert.deepEqual(await sync(), [4, 1, 0, 3, 0])
  assert.deepEqual(await sync(), [0, 0, 0, 0, 0])
  workspace.write('services/ac-repair.md', aService({ offeredIn: ['austin'] }))
  workspace.remove('forms/quote.yaml')
  assert.deepEqual(await sync(), [0, 1, 1, 0, 3])
})
