import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as fc from 'fast-check'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { listOffersOfService } from '#src/entries/offers/location-service-store.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { deleteTerm } from '#src/entries/terms/delete-term.ts'
import { isSameSite } from '#src/publish/plan/plan-release.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { findTaxonomy, listTerms } from '#src/taxonomies/taxonomy-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { editEntry, editPlace } from '../../support/small-edits.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'
import { printFigure } from '../../support/soak.ts'

const NOW = { now: new Date('2026-11-20T12:00:00.000Z') }
// Each run publishes six times.
const RUNS = Number(process.env.SELECTED_RUNS ?? 6)

async function aSite(t: TestContext) {
  const site = await aPublishedSite(t, await openTestDatabase(t))
  const { db, places, service } = site
  for (const [slug, id] of await addPlaces(db, 'ohio/akron', 'ohio/dayton')) places.set(slug, id)
  const add = (type: string, slug: string, data = {}) => addEntry(db, type, { slug, title: slug, data })
  const ids = {
    ...{ about: await add('pages', 'about'), news: await add('pages', 'news') },
    ...{ repair: service.id, drains: await add('services', 'drains') },
    austinRepair: 0,
    praise: await add('testimonials', 'praise', { service: 'ac-repair', author: 'Ann', quote: 'Good' }),
  }
  await editEntry(db, ids.repair, { data: { offered_in: ['texas/**', 'akron'] } })
  await editEntry(db, ids.drains, { data: { offered_in: ['ohio/**', 'except dayton'] } })
  await editPlace(db, places.get('texas'), { description: 'A state.' })
  const offers = await listOffersOfService(db, ids.repair)
  ids.austinRepair = offers.find(({ locationId }) => locationId === places.get('austin'))?.id ?? 0
  await site.publish()
  return { ...site, ids }
}

type Site = Awaited<ReturnType<typeof aSite>>
type Id = keyof Site['ids']

const entryOf = (id: Id) => (site: Site) => ({ subject: 'entry' as const, subjectId: `${site.ids[id]}` })
const placeOf = (slug: string) => (site: Site) => ({
  subject: 'term' as const,
  subjectId: `${site.places.get(slug)}`,
})
const write = (id: Id, values: object) => ({
  of: entryOf(id),
  run: (site: Site) => editEntry(site.db, site.ids[id], values),
})
const place = (slug: string, values: object) => ({
  of: placeOf(slug),
  run: (site: Site) => editPlace(site.db, site.places.get(slug), values),
})

// Each changes a subject of its own in one way or another: none refers to what another one made.
const EDITS = {
  text: write('about', { body: 'New text' }),
  local: write('austinRepair', { body: 'We know the houses of this town since we cooled half of them.' }),
  about: place('texas', { description: 'The second largest state.' }),
  address: write('about', { slug: 'company', title: 'Company' }),
  hidden: write('news', { status: 'draft' }),
  deleted: { of: entryOf('news'), run: (site: Site) => deleteEntry(site.db, site.ids.news, NOW) },
  service: write('repair', { title: 'Cooling' }),
  serviceText: write('repair', { body: 'Same day, any make.', data: { summary: 'Cool again', position: 2 } }),
  serviceAddress: write('repair', { slug: 'cooling' }),
  offered: write('repair', { data: { offered_in: ['texas/*', 'ohio/*'] } }),
  drainsText: write('drains', { body: 'No digging.', data: { summary: 'Clear again' } }),
  nowhere: write('drains', { data: { offered_in: [] } }),
  drainsHidden: write('drains', { status: 'draft' }),
  drainsDeleted: { of: entryOf('drains'), run: (site: Site) => deleteEntry(site.db, site.ids.drains, NOW) },
  praise: write('praise', { title: 'Praised', body: 'They came *at once*.' }),
  praiseElsewhere: write('praise', { data: { service: 'drains' } }),
  renamed: place('austin', { slug: 'austin-tx', name: 'Austin TX' }),
  swapped: place('dayton', { slug: 'daytona', description: 'A longer text about it.' }),
  moved: place('akron', { parentId: null }),
  gone: {
    of: placeOf('dallas'),
    run: (site: Site) => deleteTerm(site.db, 'locations', site.places.get('dallas') ?? 0, NOW),
  },
  waco: {
    async run(site: Site) {
      await addTerms(site.db, 'locations', { text: 'Waco', parentId: site.places.get('texas') ?? 0 }, NOW)
      const { id = 0 } = (await findTaxonomy(site.db, 'locations')) ?? {}
      const waco = (await listTerms(site.db, id)).find(({ slug }) => slug === 'waco')
      site.places.set('waco', waco?.id ?? 0)
    },
    of: placeOf('waco'),
  },
  name: {
    of: () => ({ subject: 'setting' as const, subjectId: 'site' }),
    run: async (site: Site) =>
      saveSiteSettings(
        site.db,
        { ...(await findSiteSettings(site.db)), name: 'Another name' },
        { now: NOW.now.toISOString() },
      ),
  },
}
type Edit = keyof typeof EDITS
const NAMES = Object.keys(EDITS) as Edit[]

// All edits of a subject are selected or none.
const OF_ONE: Edit[][] = [
  ['text', 'address'],
  ['hidden', 'deleted'],
  ['service', 'serviceText', 'serviceAddress', 'offered'],
  ['drainsText', 'nowhere', 'drainsHidden', 'drainsDeleted'],
  ['praise', 'praiseElsewhere'],
]
const LAST = new Set<Edit>(['deleted', 'drainsDeleted', 'gone'])
const subjectOf = (edit: Edit) => OF_ONE.findIndex((edits) => edits.includes(edit))
const isOfSame = (one: Edit, other: Edit) =>
  one === other || (subjectOf(one) >= 0 && subjectOf(one) === subjectOf(other))

function inOrder(edits: readonly Edit[]): Edit[] {
  return [...edits.filter((edit) => !LAST.has(edit)), ...edits.filter((edit) => LAST.has(edit))]
}

/** Pages and lists as visitors get them; when a page became another differs. */
function filesOf({ dataDir }: Site): Map<string, string> {
  const root = join(dataDir, 'current/site')
  const files = globSync('**/*.{html,xml,txt}', { cwd: root }).toSorted()
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8').replace(/<lastmod>[^<]*/g, '')
  return new Map(files.map((file) => [file, textOf(file)]))
}

// A review cannot be given to a service that is in the trash.
const isPossible = ({ edits, selected }: { edits: Edit[]; selected: Edit[] }) =>
  !edits.includes('praiseElsewhere') ||
  selected.includes('praiseElsewhere') ||
  !selected.includes('drainsDeleted')

const scenario = fc
  .tuple(fc.shuffledSubarray(NAMES, { minLength: 2 }), fc.infiniteStream(fc.boolean()))
  .map(([edits, choices]) => {
    const ordered = inOrder(edits)
    const chosen = new Map<string, boolean>()
    const selected = ordered.filter((edit) => {
      const index = subjectOf(edit)
      const key = index < 0 ? edit : `${index}`
      if (!chosen.has(key)) chosen.set(key, choices.next().value)
      return chosen.get(key)
    })
    return { edits: ordered, selected }
  })
  .filter(isPossible)

// Each reaches few pages, so that no others are compared.
const OWN_TEXTS: Edit[] = ['text', 'local', 'about', 'drainsText', 'praise']
const ofOwnTexts = fc
  .tuple(
    fc.shuffledSubarray(OWN_TEXTS, { minLength: 1 }),
    fc.shuffledSubarray(NAMES.filter((edit) => !OWN_TEXTS.some((own) => isOfSame(own, edit)))),
  )
  .map(([selected, others]) => ({ edits: [...selected, ...inOrder(others)], selected }))

const EXAMPLES: [{ edits: Edit[]; selected: Edit[] }][] = [
  [{ edits: ['text', 'name'], selected: ['text'] }],
  [{ edits: ['drainsText', 'service'], selected: ['drainsText'] }],
  [{ edits: ['praise', 'service', 'renamed'], selected: ['praise'] }],
  // A local page moves to the address of a renamed place while its service is offered elsewhere.
  [{ edits: ['renamed', 'local', 'offered'], selected: ['local', 'offered'] }],
]

test('publishing selected changes gives the same site as making only those changes', {
  timeout: 600_000,
}, async (t) => {
  let narrowly = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(scenario, ofOwnTexts), async ({ edits, selected }) => {
      const [site, alone] = [await aSite(t), await aSite(t)]
      for (const edit of edits) await EDITS[edit].run(site)
      for (const edit of selected) await EDITS[edit].run(alone)
      const only = selected.map((edit) => EDITS[edit].of(site))
      const { problems, scope } = await site.publish({ starter: { startedBy: 'admin', only } })
      if (scope === 'changes') narrowly++
      // Compares all pages with what is live, and finds nothing.
      const checked = await site.publish({ starter: { startedBy: 'schedule' }, check: true })
      assert.deepEqual([checked.kind, isSameSite(checked.plan)], ['unchanged', true])
      await alone.publish()
      assert.deepEqual(problems, [])
      assert.deepEqual(filesOf(site), filesOf(alone))
      for (const edit of edits.filter((one) => !selected.includes(one))) await EDITS[edit].run(alone)
      await site.publish()
      await alone.publish()
      assert.deepEqual([...filesOf(site).keys()], [...filesOf(alone).keys()])
    }),
    { numRuns: RUNS, examples: EXAMPLES },
  )
  assert.ok(narrowly > 0)
  printFigure(t, `${RUNS} selections, ${narrowly} of them compared only their own pages`)
})
