import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listDrafts } from '#src/publish/pending/waiting-draft-store.ts'
import { saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { sqliteEngine } from '../../support/database.ts'
import { pgliteEngine } from '../../support/postgres-engine.ts'
import { draftEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const LATER = '2999-01-01T09:00:00.000Z'

for (const engine of [pgliteEngine(), sqliteEngine()]) {
  after(() => engine.close())

  test(`drafts wait, except scheduled ones and local pages that are turned off (${engine.name})`, async () => {
    const db = await engine.openMigrated()
    const page = (slug: string, values = {}) => addEntry(db, 'pages', { slug, title: slug, ...values })
    const [drafted, dated] = [await page('drafted'), await page('dated')]
    await page('kept')
    const unfinished = await page('unfinished', { status: 'draft', title: '' })
    await addEntry(db, 'location_services', { slug: 'a/b', status: 'draft' })
    await draftEntry(db, drafted, { title: 'Not yet' })
    await draftEntry(db, dated, { publishAt: LATER })
    await saveSettingsDraft(db, { changes: { tagline: 'Later' } }, { now: new Date() })
    const found = await listDrafts(db, { now: new Date() })
    assert.deepEqual(
      found.waiting.drafts.map(({ subject, subjectId, name, isOfPublished }) => [
        ...[subject, subjectId, name, isOfPublished],
      ]),
      [
        ['setting', 'site', '', true],
        ['entry', `${unfinished}`, 'unfinished', false],
        ['entry', `${drafted}`, 'drafted', true],
      ],
    )
    assert.equal(found.waiting.count, 3)
    assert.deepEqual(
      found.dated.map(({ at, subjectId, name }) => [at, subjectId, name]),
      [[LATER, `${dated}`, 'dated']],
    )
    const overdue = await listDrafts(db, { now: new Date('2999-01-02T00:00:00.000Z') })
    assert.deepEqual([overdue.waiting.count, overdue.waiting.drafts.length, overdue.dated], [4, 4, []])
    assert.deepEqual(found.waiting.drafts[0]?.areas, ['settings'])
    const due = await listDrafts(db, { now: new Date(LATER) })
    assert.deepEqual([due.waiting.count, due.dated], [4, []])
  })

  test(`a draft of the settings names the parts that it changes (${engine.name})`, async () => {
    const db = await engine.openMigrated()
    const areas = async () => (await listDrafts(db, { now: new Date() })).waiting.drafts[0]?.areas
    await saveSettingsDraft(db, { changes: { home: { title: 'Later' } } }, { now: new Date() })
    assert.deepEqual(await areas(), ['home'])
    await saveSettingsDraft(db, { changes: { tagline: 'Later' } }, { now: new Date() })
    assert.deepEqual(await areas(), ['settings', 'home'])
  })
}
