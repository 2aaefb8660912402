import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeEdits, type ShownChange } from '#src/admin/publish/describe-edits.ts'
import type { DescribedChange, Versioned } from '#src/admin/versions/versioned.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { settingName } from '#src/messages/admin/settings/setting-names.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'
import { at, aVersionedPage } from '../../support/versioned-page.ts'

const LONG =
  'We repair every kind of air conditioner in the whole city of Austin, on every day of the year, and at night.'

const CHANGE: ShownChange = {
  ...{ firstChangeId: 1, changeId: 2, savedAt: at(9), savedBy: 'ann@example.com' },
  ...{ subject: 'entry', subjectId: '7', ofSlug: 'pages', ofName: 'Pages', name: 'About' },
  ...{ change: 'edited', services: undefined, areas: undefined },
}

type Page = Awaited<ReturnType<typeof aVersionedPage>>

/** What a preview tells about changes of the page's content. */
function describe(page: Page, changes: readonly Partial<ShownChange>[], more: Partial<Versioned> = {}) {
  const find = async () => ({ ...page.versioned(), ...more })
  const finders = { entry: find, setting: find, picture: find }
  return describeEdits(
    page.open(),
    changes.map((one) => ({ ...CHANGE, ...one })),
    finders,
  )
}

const partsOf = (fields: Awaited<ReturnType<typeof describe>>[number]['fields']) =>
  fields.map(({ label, parts }) =>
    [label, ...parts.map(({ change, text }) => `${change} ${text}`)].join(': '),
  )

test('an edit shows the fields that differ from what visitors see', async (t) => {
  const page = await aVersionedPage(t)
  await page.save({ title: 'A', text: 'x', same: 's' })
  await page.save({ title: 'B', text: 'x', same: 's' })
  await page.save({ title: 'C', text: '## y', same: 's', more: 'z' })
  page.set({ shown: { until: at(0) } })
  const [edit] = await describe(page, [{}])
  assert.partialDeepStrictEqual(edit, { name: 'About', kind: 'Page', change: 'edited', page: 'entry:7' })
  assert.deepEqual(partsOf(edit?.fields ?? []), [
    ...['more: added z', 'text: removed x: added y', 'title: removed A: added C'],
  ])
  page.set({ shown: 'none' })
  assert.deepEqual((await describe(page, [{}]))[0]?.fields, [])
})

test('new and removed content is only named, and so is what comes after fifty changes', async (t) => {
  const page = await aVersionedPage(t)
  await page.save({ title: 'A' })
  await page.save({ title: 'B' })
  page.set({ shown: { until: at(0) } })
  const edits = await describe(page, [
    { change: 'removed' },
    { change: 'added', subject: 'term', ofSlug: 'locations', services: ['A', 'B'] },
    { subject: 'form' },
    ...Array.from({ length: 48 }, () => ({})),
  ])
  assert.deepEqual(
    edits.map(({ fields }) => fields.length),
    [0, 1, 0, ...Array(47).fill(1), 0],
  )
  assert.deepEqual(partsOf(edits[1]?.fields ?? []), ['Services in this place: added A and B'])
  assert.equal(edits[1]?.page, undefined)
})

test('a draft is compared with what visitors see now', async (t) => {
  const page = await aVersionedPage(t)
  await page.save({ title: 'A' })
  await page.draft({ title: 'B' })
  const drafted = async (more = {}) =>
    partsOf((await describe(page, [{ draft: 'x' }], more))[0]?.fields ?? [])
  assert.deepEqual(await drafted(), ['title: removed A: added B'])
  assert.deepEqual(await drafted({ contentToRestore: async () => ({ title: 'C' }) }), [
    'title: removed A: added C',
  ])
})

test('people with a link never see the settings that visitors don’t', async (t) => {
  const page = await aVersionedPage(t)
  await page.save({ title: 'A' })
  const change = (label: string): DescribedChange => ({ key: label, label, before: 'a', after: 'b' })
  const labels = ['attribution', 'stages', 'record_reading'].map((path) => settingName(path))
  const edits = await describe(
    page,
    [{ subject: 'setting', subjectId: 'site', ofSlug: undefined, areas: ['settings'] }],
    {
      findShown: async () => ({ until: at(0) }),
      describe: async () => [...labels.map(change), change('Phone'), { ...change('Same'), after: 'a' }],
    },
  )
  assert.deepEqual(
    edits[0]?.fields.map(({ label }) => label),
    ['Phone'],
  )
  assert.equal(edits[0]?.page, 'fixed:/')
})

test('a long text is shown around its changes', async (t) => {
  const page = await aVersionedPage(t)
  const text = `${LONG} ${LONG} Old ideas. ${LONG} ${LONG}`
  await page.save({ text })
  await page.save({ text: text.replace('Old', 'New') })
  page.set({ shown: { until: at(0) } })
  const around = async () => (await describe(page, [{}]))[0]?.fields[0]?.parts ?? []
  const [start, removed, added, end] = await around()
  assert.deepEqual([removed?.text, added?.text], ['Old', 'New'])
  assert.match(start?.text ?? '', /^… in the .* and at night\. $/)
  assert.match(end?.text ?? '', /^ ideas\. We repair .* …$/)
  assert.ok([start, end].every((part) => (part?.text.length ?? 999) <= 81))
  // Texts with little in common are shown one after the other, and cut.
  page.set({ now: { text: 'z'.repeat(2_001) } })
  const apart = await around()
  assert.deepEqual(
    apart.map(({ change }) => change),
    ['removed', 'added'],
  )
  assert.equal(apart[1]?.text, `${'z'.repeat(2_000)}…`)
  page.set({ now: { text: 'z'.repeat(2_000) } })
  assert.equal((await around())[1]?.text, 'z'.repeat(2_000))
})

test('a picture is shown with what it replaces', async (t) => {
  const page = await aVersionedPage(t)
  const [one, other] = ['a'.repeat(64), 'b'.repeat(64)]
  await page.save({ sha256: one, alt: 'Van' })
  const picture = { subject: 'picture', ofSlug: undefined, change: 'added' } as const
  page.set({ shown: 'none' })
  const [added] = await describe(page, [picture])
  assert.equal(added?.change, 'added')
  assert.deepEqual(
    added?.fields.flatMap(({ parts }) => parts),
    [{ change: 'added', text: '', picture: { sha256: one, alt: 'Van' } }],
  )
  await page.save({ sha256: other, alt: '' })
  page.set({ shown: { until: at(0) } })
  const [edited] = await describe(page, [picture])
  assert.equal(edited?.change, 'edited')
  assert.deepEqual(
    edited?.fields[0]?.parts.map((part) => part.picture),
    [
      { sha256: one, alt: 'Van' },
      // Its name describes it.
      { sha256: other, alt: 'About' },
    ],
  )
  await page.save({ sha256: one, alt: 'Truck' })
  const file = { label: 'File', before: 'a', after: 'b' }
  const alt = { label: 'alt', before: 'Van', after: 'Truck' }
  const [described] = await describe(page, [picture], { describe: async () => [file, alt] })
  assert.deepEqual(partsOf(described?.fields ?? []), ['alt: removed Van: added Truck'])
})

test('a local page is that of its service and place', async (t) => {
  const page = await aVersionedPage(t)
  const place = { slug: 'austin', id: (await addPlaces(page.db, 'austin')).get('austin') as number }
  const service = {
    slug: 'ac-repair',
    id: await addEntry(page.db, 'services', { slug: 'ac-repair', title: 'AC' }),
  }
  await offer(page.db, service, place)
  const row = await page.db
    .selectFrom('content_entries')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const change = { subjectId: String(row?.id), ofSlug: 'location_services', change: 'added' } as const
  const [edit] = await describe(page, [change])
  assert.equal(edit?.page, `place:${service.id}:${place.id}`)
})

test('a service shows only the places that visitors would see', async (t) => {
  const page = await aVersionedPage(t)
  const { open } = page
  const dataDir = temporaryFolder(t)
  const places = await addPlaces(page.db, 'texas/austin')
  const data = { offered_in: ['austin'] }
  const id = await addEntry(page.db, 'services', { slug: 'ac-repair', title: 'AC', data })
  await goLive(dataDir, { facts: { position: await findLogEnd(page.db) } })
  const now = { now: new Date() }
  await addTerms(page.db, 'locations', { text: 'Waco', parentId: places.get('texas') ?? null }, now)
  const live = { title: 'AC', data }
  const asked: unknown[] = []
  const described: unknown[] = []
  await page.save(live as never)
  page.set({ shown: { until: at(0) } })
  const saved = { title: 'AC repair', data: { offered_in: ['austin', 'waco'] } }
  const context = open()
  context.locals.app.config.dataDir = dataDir
  const finders = {
    entry: async ({ params }: { params: unknown }) => {
      asked.push(params)
      return {
        ...page.versioned(),
        now: saved,
        async describe(_: unknown, after: unknown) {
          described.push(after)
          return []
        },
      }
    },
  }
  const change = { ...CHANGE, subjectId: String(id), ofSlug: 'services', ofName: 'Services' }
  await describeEdits(context, [change], finders)
  await describeEdits(context, [{ ...change, ofSlug: 'pages' }], finders)
  assert.deepEqual(described, [{ ...saved, data }, saved])
  assert.deepEqual(asked[0], { id: String(id), type: 'services', slug: 'services' })
})
