import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { listOtherEditors, noteEditor, noteLeaving } from '#src/entries/editing/entry-editor-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { quickHash } from '../../support/quick-hash.ts'
import { addEntry } from '../../support/small-site.ts'

const START = Date.parse('2026-11-24T10:41:00.000Z')
const at = (seconds: number) => ({ now: new Date(START + seconds * 1_000) })

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: an editor counts as open until its user leaves or is inactive for a minute`, async () => {
    const db = await engine.openMigrated()
    const entryId = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
    const add = (name: string) =>
      insertAdministrator(db, {
        ...{ email: `${name}@example.com`, name, passwordHash: quickHash('x') },
        ...at(0),
      })
    const [maria = 0, ann = 0] = [await add('Maria'), await add('Ann')]
    const seenByAnn = async (seconds: number) =>
      (await listOtherEditors(db, { entryId, userId: ann }, at(seconds))).map(({ name, since }) => ({
        name,
        since,
      }))
    const since = new Date(START).toISOString()
    await noteEditor(db, { entryId, userId: maria }, at(0))
    await noteEditor(db, { entryId, userId: ann }, at(1))
    await noteEditor(db, { entryId, userId: maria }, at(20))
    assert.deepEqual(await seenByAnn(80), [{ name: 'Maria', since }])
    assert.deepEqual(await seenByAnn(81), [])
    await noteLeaving(db, { entryId, userId: maria }, at(30))
    await noteEditor(db, { entryId, userId: maria }, at(34))
    assert.deepEqual(await seenByAnn(34), [{ name: 'Maria', since }])
    await noteLeaving(db, { entryId, userId: maria }, at(40))
    assert.deepEqual(await seenByAnn(46), [])
    await noteEditor(db, { entryId, userId: maria }, at(50))
    assert.deepEqual(await seenByAnn(50), [{ name: 'Maria', since: at(50).now.toISOString() }])
    await db.deleteFrom('content_entries').where('id', '=', entryId).execute()
    assert.deepEqual(await seenByAnn(50), [])
  })
}
