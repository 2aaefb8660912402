import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { createAdministrator } from '#src/auth/create-administrator.ts'
import type { EntryInput } from '#src/entries/editing/entry-input.ts'
import { saveEntry } from '#src/entries/editing/save-entry.ts'
import { setEntryStatus } from '#src/entries/editing/set-entry-status.ts'
import { listTermIdsOfEntry } from '#src/entries/entry-lookup-store.ts'
import { discardDraft, findEntryDraft, saveDraft } from '#src/entries/history/entry-draft.ts'
import { type EntrySnapshot, toSnapshot } from '#src/entries/history/entry-snapshot.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { restoreEntry } from '#src/entries/history/restore-entry.ts'
import { editTerm, loadTaxonomy, moveTerm, restoreTerm } from '#src/entries/terms/change-terms.ts'
import { editForm } from '#src/forms/edit-form.ts'
import { deleteForm, getFormById } from '#src/forms/form-store.ts'
import { type FormSnapshot, formSubject, toFormSnapshot } from '#src/forms/history/record-form.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import { deletePictures, savePicture } from '#src/pictures/picture-store.ts'
import { renameForm } from '#src/site/forms/rename-form.ts'
import { restoreForm } from '#src/site/settings/save-form-settings.ts'
import { type TermSnapshot, termSubject, toTermSnapshot } from '#src/taxonomies/record-term.ts'
import { findVersion, listVersions } from '#src/versions/version-store.ts'
import { sqliteEngine, type TestEngine } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { aPicture } from '../../support/pictures.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { editPlace } from '../../support/small-edits.ts'
import { soakLength } from '../../support/soak.ts'
import { LATER, NOW, openWorld, type World } from './entry-world.ts'

const ANN = { source: 'admin', email: 'ann@example.com' } as const

testVersions(sqliteEngine())
testVersions(postgresEngine())

function testVersions(engine: TestEngine) {
  describe(`versions of entries on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld(engine)
    })
    after(() => engine.close())

    const input = (values: Partial<EntryInput>): EntryInput => ({
      ...{ slug: '', title: '', status: 'published', body: '', fields: {}, termIds: [], namedTerms: {} },
      ...{ publishAt: null, unpublishAt: null, redirectFrom: [] },
      ...values,
    })
    const save = async (values: Partial<EntryInput>, id?: number, type = 'pages') => {
      const saving = { now: NOW, by: ANN }
      const of = { type: await world.type(type), id, input: input(values) }
      const outcome = await saveEntry(world.db, of, saving)
      assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
      return outcome.value
    }
    const snapshot = async (id: number) =>
      toSnapshot(await world.entry(id), await listTermIdsOfEntry(world.db, id))
    const versions = (id: number) => listVersions(world.db, entrySubject(id), { limit: 100 })
    const contentOf = async (id: number, versionId: number) =>
      (await findVersion(world.db, entrySubject(id), versionId))?.content as EntrySnapshot

    test('every save that changes something makes a version with user and time', async () => {
      const id = await save({ slug: 'v-about', title: 'About' })
      await save({ slug: 'v-about', title: 'About us' }, id)
      await save({ slug: 'v-about', title: 'About us' }, id)
      const listed = await versions(id)
      assert.deepEqual(
        listed.map(({ state, source, savedBy, savedAt }) => [state, source, savedBy, savedAt]),
        Array(2).fill(['saved', 'admin', 'ann@example.com', NOW.toISOString()]),
      )
      const titles = await Promise.all(listed.map(async (one) => (await contentOf(id, one.id)).title))
      assert.deepEqual(titles, ['About us', 'About'])
    })

    test('the first save keeps an entry’s state from its content file', async () => {
      const id = await save({ slug: 'v-old', title: 'Old' })
      await world.db.deleteFrom('content_versions').where('subject_id', '=', id).execute()
      await save({ slug: 'v-old', title: 'New' }, id)
      const listed = await versions(id)
      assert.deepEqual(
        listed.map(({ source, savedBy }) => [source, savedBy]),
        [
          ['admin', 'ann@example.com'],
          ['file', null],
        ],
      )
      assert.equal((await contentOf(id, listed[1]?.id ?? 0)).title, 'Old')
    })

    test('a status change makes a version with the former status', async () => {
      const id = await save({ slug: 'v-status', title: 'Status' })
      const type = await world.type('pages')
      await setEntryStatus(world.db, { type, ids: [id], status: 'draft' }, { now: LATER, by: ANN })
      assert.deepEqual(
        (await versions(id)).map(({ savedAt }) => savedAt),
        [LATER.toISOString(), NOW.toISOString()],
      )
    })

    test('restoring makes an equal new version, with terms and schedule', async () => {
      const first = { slug: 'v-full', title: 'Full', body: 'One\n\ntwo', publishAt: NOW.toISOString() }
      const id = await save({ ...first, termIds: [world.place('austin')], redirectFrom: ['/v-older'] })
      const before = await snapshot(id)
      const [version] = await versions(id)
      await save({ slug: 'v-full-2', title: 'Other', status: 'draft' }, id)
      const outcome = await restoreEntry(
        world.db,
        { type: await world.type('pages'), id, versionId: version?.id ?? 0 },
        { now: LATER, by: { source: 'restored', email: 'ann@example.com' } },
      )
      assert.deepEqual(outcome, { kind: 'saved', value: id })
      assert.deepEqual(await snapshot(id), before)
      assert.equal((await versions(id))[0]?.source, 'restored')
    })

    test('restoring some values keeps the others as they are', async () => {
      const fields = { picture: 'v-part.jpg' }
      await savePicture(world.db, aPicture({ name: 'v-part.jpg' }), { now: NOW.toISOString() })
      const id = await save({ slug: 'v-part', title: 'Old title', body: 'Old text' })
      const [version] = await versions(id)
      const termIds = [world.place('austin')]
      await save({ slug: 'v-part', title: 'New title', body: 'New text', fields, termIds }, id)
      const later = await snapshot(id)
      const of = { type: await world.type('pages'), id, versionId: version?.id ?? 0 }
      const restore = (...names: string[]) =>
        restoreEntry(world.db, { ...of, names: new Set(names) }, { now: LATER, by: ANN })
      assert.deepEqual(await restore('body'), { kind: 'saved', value: id })
      assert.deepEqual(await snapshot(id), { ...later, body: 'Old text' })
      assert.deepEqual(await restore('title', 'termIds', 'data.picture'), { kind: 'saved', value: id })
      assert.deepEqual(await snapshot(id), await contentOf(id, of.versionId))
      await deletePictures(world.db, ['v-part.jpg'])
    })

    test('a version is restored after one of its places was renamed', async () => {
      const first = { slug: 'v-places', title: 'First', fields: { offered_in: ['zilker'] } }
      const id = await save(first, undefined, 'services')
      const [version] = await versions(id)
      await save({ ...first, title: 'Second' }, id, 'services')
      await editPlace(world.db, world.place('zilker'), { slug: 'zilker-park' })
      const of = { type: await world.type('services'), id, versionId: version?.id ?? 0 }
      assert.equal((await restoreEntry(world.db, of, { now: LATER })).kind, 'saved')
      const { title, data } = await world.entry(id)
      assert.deepEqual([title, data], ['First', { offered_in: ['zilker-park'] }])
    })

    test('restoring a version whose address is taken is refused with the problem', async () => {
      const id = await save({ slug: 'v-first', title: 'First' })
      const [version] = await versions(id)
      await save({ slug: 'v-second', title: 'First' }, id)
      await save({ slug: 'v-first', title: 'Somebody else' })
      const type = await world.type('pages')
      const outcome = await restoreEntry(world.db, { type, id, versionId: version?.id ?? 0 }, { now: LATER })
      assert.ok(outcome.kind === 'invalid' && outcome.problems[0]?.code === 'entry_slug_taken')
      assert.equal((await world.entry(id)).slug, 'v-second')
    })

    const lost: { what: string; values: Partial<EntryInput>; sentence: string }[] = [
      {
        what: 'form',
        values: { fields: { form: 'v-quote' } },
        sentence: 'The form “v-quote” doesn’t exist.',
      },
      {
        what: 'picture',
        values: { fields: { picture: 'v-van.jpg' } },
        sentence: 'The picture “v-van.jpg” doesn’t exist. Upload the picture, or choose another.',
      },
      {
        what: 'picture in the text',
        values: { body: '![Van](v-van.jpg)' },
        sentence: 'There is no picture “v-van.jpg” in pictures/.',
      },
    ]
    for (const { what, values, sentence } of lost)
      test(`restoring a version whose ${what} was deleted is refused`, async () => {
        const slug = `v-lost-${what.replaceAll(' ', '-')}`
        const { id: formId } = await storeForm(world.db, 'v-quote')
        await savePicture(world.db, aPicture({ name: 'v-van.jpg' }), { now: NOW.toISOString() })
        const id = await save({ slug, title: 'First', ...values })
        const [version] = await versions(id)
        await save({ slug, title: 'Second' }, id)
        await deleteForm(world.db, formId)
        await deletePictures(world.db, ['v-van.jpg'])
        const of = { type: await world.type('pages'), id, versionId: version?.id ?? 0 }
        const outcome = await restoreEntry(world.db, of, { now: LATER })
        assert.ok(outcome.kind === 'invalid', outcome.kind)
        assert.deepEqual(outcome.problems.map(describeProblem), [sentence])
        assert.equal((await world.entry(id)).title, 'Second')
      })

    test('a version of another entry is not found', async () => {
      const [one, other] = [
        await save({ slug: 'v-1', title: 'One' }),
        await save({ slug: 'v-2', title: 'Two' }),
      ]
      const [version] = await versions(other)
      const type = await world.type('pages')
      const of = { type, id: one, versionId: version?.id ?? 0 }
      assert.deepEqual(await restoreEntry(world.db, of, { now: LATER }), { kind: 'not_found' })
    })

    test('a draft leaves the entry unchanged, and the next save makes it a former draft', async () => {
      const id = await save({ slug: 'v-live', title: 'Live' })
      const live = await world.entry(id)
      const type = await world.type('pages')
      const draft = (title: string) =>
        saveDraft(world.db, { type, id, input: input({ slug: 'v-live', title }) }, { now: LATER, by: ANN })
      assert.equal((await draft('Next')).kind, 'saved')
      assert.equal((await draft('Next but one')).kind, 'saved')
      assert.deepEqual(await world.entry(id), live)
      const found = await findEntryDraft(world.db, id)
      assert.equal(found?.snapshot.title, 'Next but one')
      const outcome = await restoreEntry(
        world.db,
        { type, id, versionId: found?.version.id ?? 0 },
        { now: LATER },
      )
      assert.equal(outcome.kind, 'saved')
      assert.equal((await world.entry(id)).title, 'Next but one')
      assert.equal(await findEntryDraft(world.db, id), undefined)
    })

    test('a page opened before a draft was saved is outdated for saves and drafts', async () => {
      const id = await save({ slug: 'v-race', title: 'Race' })
      const type = await world.type('pages')
      const basedOn = (await world.entry(id)).updatedAt
      const of = (title: string) => ({ type, id, input: input({ slug: 'v-race', title, basedOn }) })
      assert.equal((await saveDraft(world.db, of('Mine'), { now: LATER })).kind, 'saved')
      assert.equal((await saveDraft(world.db, of('Yours'), { now: LATER })).kind, 'outdated')
      assert.equal((await saveEntry(world.db, of('Yours'), { now: LATER })).kind, 'outdated')
    })

    test('a draft is discarded once, only as last seen, and stays among the versions', async () => {
      const id = await save({ slug: 'v-discard', title: 'Discard' })
      const type = await world.type('pages')
      await saveDraft(
        world.db,
        { type, id, input: input({ slug: 'v-discard', title: 'No' }) },
        { now: LATER },
      )
      const versionId = (await findEntryDraft(world.db, id))?.version.id ?? 0
      assert.equal(await discardDraft(world.db, { id, versionId: versionId + 1 }), false)
      assert.equal(await discardDraft(world.db, { id, versionId }), true)
      assert.equal(await discardDraft(world.db, { id, versionId }), false)
      assert.deepEqual(
        (await versions(id)).map(({ state }) => state),
        ['former_draft', 'saved'],
      )
    })
  })
}

test('random edits of pages, services, and pages in places are restored exactly', async (t) => {
  const engine = sqliteEngine()
  t.after(() => engine.close())
  const world = await openWorld(engine)
  const service = await world.saved('services', {
    slug: 'p-service',
    title: 'P',
    fields: { offered_in: ['texas/*'] },
  })
  const page = await world.saved('pages', { slug: 'p-page', title: 'P' })
  const local = await world.saved('location_services', {
    fields: { service_entry_id: service, location_term_id: 'tulsa', intro: 'P' },
  })
  const subjects = [
    { type: await world.type('pages'), id: page, fixed: {} },
    { type: await world.type('services'), id: service, fixed: {} },
    {
      type: await world.type('location_services'),
      id: local,
      fixed: { service_entry_id: service, location_term_id: 'tulsa' },
    },
  ]
  const places = ['austin', 'dallas', 'tulsa', 'zilker'].map(world.place)
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '“', '\n', ' ', '*', '<', '&', '😀', '\t', '0') })
  const edit = fc.record({
    subject: fc.integer({ min: 0, max: 2 }),
    title: text.map((title) => `T${title}`),
    slug: fc.integer({ min: 0, max: 30 }),
    body: text,
    summary: text.map((summary) => `S${summary}`),
    status: fc.constantFrom('draft' as const, 'published' as const),
    offeredIn: fc.subarray(['texas/*', 'tulsa', 'austin']),
    terms: fc.subarray(places),
    publishAt: fc.option(fc.constant('2026-11-20T10:00:00.000Z')),
  })
  const known: { subject: number; versionId: number; state: EntrySnapshot }[] = []
  const stateOf = async (id: number) =>
    toSnapshot(await world.entry(id), await listTermIdsOfEntry(world.db, id))
  let clock = NOW.getTime()
  for (const one of fc.sample(edit, { numRuns: soakLength(150, 1_000), seed: 20 })) {
    const { type, id, fixed } = subjects[one.subject] as (typeof subjects)[number]
    const fields = {
      pages: {},
      services: { offered_in: one.offeredIn, summary: one.summary },
      location_services: { ...fixed, intro: one.summary },
    }[type.slug]
    const input: EntryInput = {
      ...{ slug: `p-${one.subject}-${one.slug}`, title: one.title, body: one.body, status: one.status },
      ...{ fields: fields ?? {}, termIds: one.terms, namedTerms: {}, publishAt: one.publishAt },
      ...{ unpublishAt: null, redirectFrom: [] },
    }
    clock += 1_000
    const outcome = await saveEntry(world.db, { type, id, input }, { now: new Date(clock) })
    assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
    const [newest] = await listVersions(world.db, entrySubject(id), { limit: 1 })
    known.push({ subject: one.subject, versionId: newest?.id ?? 0, state: await stateOf(id) })
  }
  for (const { subject, versionId, state } of fc.sample(fc.constantFrom(...known), {
    numRuns: soakLength(50, 1_000),
    seed: 21,
  })) {
    const { type, id } = subjects[subject] as (typeof subjects)[number]
    clock += 1_000
    const outcome = await restoreEntry(world.db, { type, id, versionId }, { now: new Date(clock) })
    assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
    // A page in a place has the slug of its service, which may have another by now.
    const { slug } = type.slug === 'location_services' ? await world.entry(id) : state
    assert.deepEqual(await stateOf(id), { ...state, slug })
  }
})

// Gives a second later each time.
function aClock() {
  let clock = NOW.getTime()
  return () => {
    clock += 1_000
    return new Date(clock)
  }
}

test('random edits and moves of a place are restored exactly, and each is a version', async (t) => {
  const engine = sqliteEngine()
  t.after(() => engine.close())
  const { db, place } = await openWorld(engine)
  const termId = place('austin')
  const stateOf = async () => {
    const term = (await loadTaxonomy(db, 'locations'))?.tree.byId.get(termId)
    assert.ok(term)
    return toTermSnapshot(term)
  }
  const edit = fc.record({
    name: fc.constantFrom('Austin', 'Áustin “x”', '<b>&amp;', 'A\tB'),
    slug: fc.integer({ min: 0, max: 5 }).map((number) => `austin-${number}`),
    description: fc.option(fc.constantFrom('One\n\ntwo', '😀')),
    parentId: fc.constantFrom(place('texas'), place('oklahoma'), place('usa'), null),
    kind: fc.constantFrom('city' as const, 'county' as const, null),
  })
  const known = new Map<number, TermSnapshot>()
  const tick = aClock()
  for (const [index, one] of fc.sample(edit, { numRuns: soakLength(60, 1_000), seed: 22 }).entries()) {
    const saving = { now: tick(), by: ANN }
    const outcome =
      index % 4 === 3
        ? await moveTerm(
            db,
            'locations',
            { termId, place: () => ({ parentId: one.parentId, index: 0 }) },
            saving,
          )
        : await editTerm(db, 'locations', { termId, edit: one }, saving)
    assert.equal(outcome.kind, 'saved')
    const state = await stateOf()
    const [newest] = await listVersions(db, termSubject(termId), { limit: 1 })
    assert.deepEqual(newest && (await findVersion(db, termSubject(termId), newest.id))?.content, state)
    known.set(newest?.id ?? 0, state)
  }
  for (const [versionId, state] of known) {
    const saving = { now: tick(), by: { ...ANN, source: 'restored' as const } }
    const outcome = await restoreTerm(db, 'locations', { termId, versionId }, saving)
    assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
    assert.deepEqual(await stateOf(), state)
  }
  const listed = await listVersions(db, termSubject(termId), { limit: 10_000 })
  assert.deepEqual(
    listed.filter(({ source }) => source === 'file').map(({ id }) => id),
    [listed.at(-1)?.id],
    'only what the place said at first is from a file',
  )
})

test('random edits of a form are restored exactly, its slug included', async (t) => {
  const engine = sqliteEngine()
  t.after(() => engine.close())
  const db = await engine.openMigrated()
  const account = await createAdministrator(
    db,
    { email: 'ann@example.com', name: null, password: 'correct horse battery' },
    { now: NOW },
  )
  assert.ok(account.kind === 'saved')
  const tick = aClock()
  const editing = () => ({ updatedBy: account.value, by: ANN, now: tick() })
  const { id } = await storeForm(db, 'f-0')
  const formOf = () => getFormById(db, id)
  const names = ['full_name', 'email', 'role', 'budget']
  const edit = fc.record({
    name: fc.constantFrom('Quote', 'Ángebot “x”'),
    description: fc.option(fc.constantFrom('One\ntwo', '<b>')),
    status: fc.constantFrom('active' as const, 'draft' as const),
    fields: fc
      .shuffledSubarray(names)
      .map((chosen) =>
        chosen.map((name, index) => ({ name, label: `${name} ${index}`, required: index > 1 })),
      ),
    settings: fc.record({
      success_heading: fc.option(fc.constant('Thanks')),
      retention_days: fc.constantFrom(7, null),
    }),
    slug: fc.integer({ min: 0, max: 3 }).map((number) => `f-${number}`),
  })
  const known = new Map<number, FormSnapshot>()
  for (const { slug, ...definition } of fc.sample(edit, { numRuns: soakLength(40, 1_000), seed: 23 })) {
    const form = await formOf()
    assert.equal((await editForm(db, form.slug, () => ({ ...definition }), editing())).kind, 'saved')
    if (slug !== form.slug)
      assert.equal(
        await db
          .transaction()
          .execute((trx) => renameForm(trx, form.slug, slug, { now: tick().toISOString(), by: ANN })),
        'renamed',
      )
    const [newest] = await listVersions(db, formSubject(id), { limit: 1 })
    known.set(newest?.id ?? 0, toFormSnapshot(await formOf()))
  }
  for (const [versionId, state] of known) {
    const outcome = await restoreForm(db, await formOf(), versionId, editing())
    assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
    assert.deepEqual(toFormSnapshot(await formOf()), state)
  }
  const first = [...known].find(([, { slug }]) => slug === 'f-1')?.[0] ?? 0
  await db
    .transaction()
    .execute(async (trx) =>
      renameForm(trx, (await getFormById(trx, id)).slug, 'f-9', { now: NOW.toISOString() }),
    )
  await storeForm(db, 'f-1')
  const refused = await restoreForm(db, await formOf(), first, editing())
  assert.ok(refused.kind === 'invalid' && refused.problems[0]?.code === 'taken', JSON.stringify(refused))
  assert.deepEqual(await restoreForm(db, await formOf(), 0, editing()), { kind: 'not_found' })
})
