import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameSelected } from '#src/admin/publish/name-selected.ts'
import { readPictureTexts } from '#src/admin/publish/picture-parts.ts'
import { faultsOf } from '#src/admin/stages/check-stages.ts'
import { readStages, toStageValues } from '#src/admin/stages/posted-stages.ts'
import { listChoosableServices } from '#src/admin/taxonomies/choosable-services.ts'
import { describeAdded } from '#src/admin/taxonomies/describe-added.ts'
import { listRuleChoices } from '#src/admin/webhooks/rule-choices.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import type { Preview } from '#src/publish/previews/preview-store.ts'
import { fixedKey } from '#src/site/pages/page-key.ts'
import { DEFAULT_STAGES } from '#src/submissions/stages/stage-settings.ts'
import { findTaxonomy, insertTerms, listTerms } from '#src/taxonomies/taxonomy-store.ts'
import { buildTermTree } from '#src/taxonomies/term-tree.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aPicture } from '../../support/pictures.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')

const LATER = new Date('2026-11-20T11:00:00.000Z')

test('pictures in compared texts are shown, each as a whole', async (t) => {
  const db = await openTestDatabase(t)
  const van = aPicture({ name: 'van.jpg', alt: 'Our van' })
  const crew = aPicture({ name: 'crew.png' })
  for (const one of [van, crew]) await savePicture(db, one, { now: NOW.toISOString() })
  const shown = async (before: string, after = '') => {
    const texts = await readPictureTexts(db, { before, after })
    return texts.toParts({ change: 'added', text: texts.before }).map(({ text, picture }) => picture ?? text)
  }
  const picture = ({ sha256 }: typeof van, alt: string) => ({ sha256, alt })
  assert.deepEqual(await shown('See ![](van.jpg) and ![The crew](</pictures/crew.png> "Title").'), [
    ...['See ', picture(van, 'Our van'), ' and ', picture(crew, 'The crew'), '.'],
  ])
  assert.deepEqual(await shown('crew.png'), [picture(crew, 'crew.png')])
  for (const text of [
    '![](none.jpg)',
    '![](https://a.example/van.jpg)',
    'myvan.jpg',
    'van.jpgs',
    '\uE000 van.jpg',
  ])
    assert.deepEqual(await shown(text), [text], text)
  const both = await readPictureTexts(db, { before: '![](van.jpg)', after: 'a ![](van.jpg) ![](crew.png)' })
  // The same picture is equal in both texts.
  assert.equal(both.after, `a ${both.before} ${String.fromCharCode(both.before.charCodeAt(0) + 1)}`)
  assert.deepEqual(both.toParts({ change: 'same', text: 'plain' }), [{ change: 'same', text: 'plain' }])
})

test('rules suggest names, or slugs where several share a name', async (t) => {
  const db = await openTestDatabase(t)
  await addPlaces(db, 'ohio')
  const { id = 0 } = (await findTaxonomy(db, 'locations')) ?? {}
  const twin = { name: 'Springfield', description: null, parentId: null }
  await insertTerms(db, id, [
    { ...twin, slug: 'springfield', position: 8 },
    { ...twin, slug: 'springfield-mo', position: 9 },
  ])
  await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' })
  const { place, service } = await listRuleChoices(db)
  for (const name of ['Ohio', 'springfield', 'springfield-mo']) assert.ok(place.includes(name), name)
  assert.ok(!place.includes('Springfield') && !place.includes('ohio'))
  assert.ok(service.includes('AC repair'))
})

test('a stage is removed only with a stage for its leads', async (t) => {
  const db = await openTestDatabase(t)
  const lead = { form_id: 1, submitted_at: NOW.toISOString(), data_json: '{}' }
  await db
    .insertInto('form_submissions')
    .values(['new', 'quoted', 'offered'].map((stage) => ({ ...lead, stage })))
    .execute()
  const stages = DEFAULT_STAGES.map((one) =>
    one.slug === 'contacted' ? { ...one, replaces: ['offered'] } : one,
  )
  const faultsWith = async (changes: Record<string, string>) => {
    const posted = readStages({ ...toStageValues(stages), ...changes }, stages)
    return (await faultsOf(db, posted)).map(({ field }) => field)
  }
  assert.deepEqual(await faultsWith({}), [])
  assert.deepEqual(await faultsWith({ 'name.quoted': '' }), ['into.quoted'])
  assert.deepEqual(
    await faultsWith({ 'name.contacted': '' }),
    ['into.contacted'],
    'the leads of one that it replaced',
  )
  assert.deepEqual(await faultsWith({ 'name.quoted': '', 'into.quoted': 'won' }), [])
  assert.deepEqual(await faultsWith({ 'name.lost': '' }), [], 'without leads')
  assert.deepEqual(await faultsWith({ 'name.lost': '', 'into.lost': 'gone' }), ['into.lost'])
  assert.deepEqual(await faultsWith({ 'name.new': '' }), ['name.new'])
  assert.deepEqual(await faultsWith({ 'name.won': 'LOST' }), ['name.lost'])
  const many = Array.from({ length: 20 }, (_, at) => ({ slug: at === 0 ? 'new' : `s${at}`, name: `S${at}` }))
  assert.deepEqual(await faultsOf(db, readStages(toStageValues(many), many)), [])
  const posted = readStages({ ...toStageValues(many), 'name.+': 'One more' }, many)
  assert.deepEqual(await faultsOf(db, posted), [{ field: '', message: 'A site can have at most 20 stages.' }])
})

test('new places lead to the tree, and to what they need next', async (t) => {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'texas/austin')
  const place = { slug: 'austin', id: places.get('austin') as number }
  const none = { added: 0, removed: 0 }
  const describe = (given: object) =>
    describeAdded(db, { taxonomy: 'locations', added: [], back: '/back', offers: none, now: NOW, ...given })
  const added = (...ids: number[]) => ids.map((id) => ({ id, name: `P${id}`, slug: `p${id}`, parentId: 3 }))
  assert.deepEqual(await describe({}), { to: '/back', text: '0 places added.' })
  const base = '/admin/taxonomies/locations'
  assert.deepEqual(await describe({ added: added(7) }), {
    ...{ to: `${base}?branch=3&new=7-7#term-7`, text: 'P7 added.' },
    links: [{ label: 'Choose the place’s services', href: `${base}/terms/7#services` }],
  })
  const [country] = added(7)
  const root = await describe({ added: [{ ...country, parentId: null }] })
  assert.equal(root.to, `${base}?new=7-7#term-7`)
  const two = await describe({ added: added(9, 7) })
  assert.deepEqual([two.to, two.links?.[0]?.label], [`${base}?branch=3&new=7-9#term-9`, 'P9'])
  assert.match(two.text, /^2 places added\. Choose the services/)
  const topics = await describe({ taxonomy: 'topics', added: added(7) })
  assert.equal(topics.links, undefined)
  const id = await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' })
  await offer(db, { slug: 'ac-repair', id }, place)
  const [page] = await db.selectFrom('content_entries').select('id').orderBy('id', 'desc').execute()
  const offered = await describe({ added: added(7), offers: { added: 1, removed: 0 } })
  assert.match(offered.text, /^P7 added\. 1 local page added\. Publish to update the site\. Search engines/)
  assert.deepEqual(
    offered.links?.map(({ href }) => href),
    [`/admin/entries/location_services/${page?.id}`],
  )
  const gone = await describe({ added: added(7), offers: { added: 0, removed: 2 } })
  assert.equal(gone.text, 'P7 added. 2 local pages removed. Publish to update the site.')
  const both = await describe({ added: added(7), offers: { added: 1, removed: 2 }, now: LATER })
  assert.equal(both.text, 'P7 added. 1 local page added, 2 local pages removed. Publish to update the site.')
})

test('new places get the services that are offered everywhere around them', async (t) => {
  const db = await openTestDatabase(t)
  await addPlaces(db, 'texas/austin')
  const all = await addEntry(db, 'services', {
    slug: 'all',
    title: 'All',
    data: { offered_in: ['texas/**'] },
  })
  const some = await addEntry(db, 'services', {
    slug: 'some',
    title: 'Some',
    data: { offered_in: ['austin'] },
  })
  const { id = 0 } = (await findTaxonomy(db, 'locations')) ?? {}
  const parent = buildTermTree(await listTerms(db, id)).bySlug.get('texas')
  const chosen = async (question: object) => {
    const services = await listChoosableServices(db, { taxonomy: 'locations', parent, ...question })
    return services.filter(({ isChosen }) => isChosen).map((one) => one.id)
  }
  assert.deepEqual(await chosen({}), [all])
  assert.deepEqual(await chosen({ posted: [String(some)] }), [some])
  assert.deepEqual(await chosen({ posted: [] }), [])
  assert.deepEqual(await chosen({ parent: undefined }), [])
  assert.deepEqual(await listChoosableServices(db, { taxonomy: 'topics', parent }), [])
})

test('a preview names what it shows, each once', async (t) => {
  const db = await openTestDatabase(t)
  const id = await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' })
  const preview = (selected?: object[], edits: object[] = []) => ({ selected, edits }) as unknown as Preview
  const entry = { subject: 'entry', subjectId: String(id) }
  const setting = { subject: 'setting', subjectId: 'site' }
  const previews = [
    preview(),
    preview([entry, entry]),
    preview([
      { ...entry, draft: 'x' },
      { subject: 'entry', subjectId: '9999' },
    ]),
    preview(
      [setting],
      [
        { page: 'entry:3', name: 'About' },
        { page: fixedKey('/'), name: 'Home page' },
      ],
    ),
    preview([setting]),
  ]
  const nameOf = await nameSelected(db, previews)
  assert.deepEqual(previews.map(nameOf).slice(0, 3), [
    '',
    'AC repair',
    'AC repair (draft) and Deleted content',
  ])
  assert.deepEqual(previews.map(nameOf).slice(3), ['Home page', 'Site settings'])
  assert.equal((await nameSelected(db, [preview()]))(preview()), '')
})
