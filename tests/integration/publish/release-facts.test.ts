import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { ledgerFile, openLedger, readFacts } from '#src/publish/ledger/ledger-store.ts'
import { readNewest } from '#src/publish/ledger/newest-release.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { editEntry, editPlace } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const TEXT =
  'We repair every air conditioner on the day that you call, in all seasons and in every street of Austin.'
const OWN = `${TEXT} ${TEXT.toUpperCase()} Nobody else has these words, or as many of them as we do here.`
const DALLAS = `${'Big D has old houses with cellars where pumps and boilers stand beside each other since decades, '.repeat(2)} so that our vans carry spare parts for both, and the people there know our faces from the market.`

type Site = Awaited<ReturnType<typeof aPublishedSite>> & { idOf: (slug: string) => number }

const EDITS: Record<string, (site: Site) => Promise<void>> = {
  'a page': ({ db, idOf }) => editEntry(db, idOf('about'), { body: 'A longer text about us' }),
  'a service': ({ db, service }) => editEntry(db, service.id, { body: 'Same day.' }),
  'a place': ({ db, places }) =>
    editPlace(db, places.get('austin'), { description: 'The capital of Texas.' }),
  'a local page that becomes listed': ({ db, idOf }) =>
    editEntry(db, idOf('ac-repair/dallas'), { body: DALLAS }),
  'a local page that is no longer listed': ({ db, idOf }) =>
    editEntry(db, idOf('ac-repair/austin'), { body: 'Short.' }),
}

for (const [what, edit] of Object.entries(EDITS))
  test(`a publish of few pages records the same facts as one of all pages: ${what}`, async (t) => {
    const site = await aPublishedSite(t)
    const { db, dataDir, places, publish } = site
    await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'A' })
    await editPlace(db, places.get('austin'), { description: 'The capital.' })
    const entries = await db.selectFrom('content_entries').select(['id', 'slug']).execute()
    const ids = new Map(entries.map(({ id, slug }) => [slug, id]))
    const idOf = (slug: string) => ids.get(slug) ?? 0
    await editEntry(db, idOf('ac-repair/austin'), { body: OWN.replace('Austin', 'the capital') })
    await publish()
    const read = () => {
      const ledger = openLedger(ledgerFile(dataDir))
      const release = findCurrentRelease(dataDir)
      const facts = release && readFacts(ledger, release)
      ledger.close()
      assert.ok(facts)
      const { shownAt: _shown, liveBytes: _bytes, ahead: _ahead, ...others } = facts
      return { ...others, records: readNewest(dataDir) }
    }
    const before = read()
    await edit({ ...site, idOf })
    const { scope, plan } = await publish({ shards: [] })
    assert.deepEqual([scope, plan.added, plan.removed], ['changes', 0, 0])
    assert.ok(plan.changed > 0 && plan.changed < 3, `${plan.changed}`)
    assert.equal(plan.changed + plan.unchanged, before.pages)
    const few = read()
    assert.deepEqual(few.position, await findLogEnd(db))
    assert.deepEqual([few.bytes, few.quality], [plan.bytes, plan.quality])
    assert.notDeepEqual(few.records.pages, before.records.pages)
    const all = await publish({ full: true })
    assert.deepEqual([all.scope, all.plan.renderedSame, all.plan.changed], ['asked', few.pages, 0])
    assert.deepEqual(read(), few)
    assert.deepEqual([all.plan.bytes, all.plan.quality], [plan.bytes, plan.quality])
    const difference = { 'becomes listed': 1, 'no longer listed': -1 }
    const [, by = 0] = Object.entries(difference).find(([words]) => what.endsWith(words)) ?? []
    assert.equal(few.listed, before.listed + by)
  })

test('changes that make no difference are compared again with the next ones', async (t) => {
  const { db, dataDir, service, publish } = await aPublishedSite(t)
  const { release } = await publish()
  const position = () => {
    const ledger = openLedger(ledgerFile(dataDir))
    const facts = readFacts(ledger, release)
    ledger.close()
    return facts?.position
  }
  const before = position()
  const saved = { subject: 'entry' as const, subject_id: `${service.id}`, action: 'edited' }
  await db
    .insertInto('content_changes')
    .values(saved as never)
    .execute()
  const { kind, scope } = await publish()
  assert.deepEqual([kind, scope, position()], ['unchanged', 'changes', before])
  assert.equal((await publish({ full: false, check: true })).scope, 'asked')
  assert.deepEqual(position(), await findLogEnd(db))
})
