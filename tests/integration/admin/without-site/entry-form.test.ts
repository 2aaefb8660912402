import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type EntryForm, receiveEntry } from '#src/admin/entries/entry-form.ts'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { replaceEntryTerms } from '#src/entries/entry-store.ts'
import { findEntryDraft } from '#src/entries/history/entry-draft.ts'
import { anAdminPage } from '../../../support/admin-page.ts'
import { goLive } from '../../../support/live-release.ts'
import { addEntry, addPlaces, offer } from '../../../support/small-site.ts'

const LATER = '2999-01-01T08:00'
const LATER_UTC = '2999-01-01T14:00:00.000Z'
const EARLIER = '2020-01-01T08:00'

type Fields = Record<string, string>

/** The desk of someone who edits entries, with a published page. */
async function anEditor(t: TestContext) {
  const desk = await anAdminPage(t)
  const id = await addEntry(desk.db, 'pages', { slug: 'about', title: 'About', body: 'Text' })
  const receive = (
    type: string,
    entry?: number | string,
    { query = '', body }: { query?: string; body?: Fields } = {},
  ) => {
    const params = { type, ...(entry !== undefined && { id: String(entry) }) }
    const context = desk.open(`/admin/entries/${type}/${entry ?? 'new'}${query}`, {
      params,
      ...(body && { post: body }),
    })
    return { context, answered: receiveEntry(context) }
  }
  /** Returns where a post leads, and what the user is told. */
  const post = async (type: string, entry: number | undefined, body: Fields) =>
    desk.toldBy(await receive(type, entry, { body }).answered)
  /** Returns the form that is shown, and its status. */
  const show = async (...asked: Parameters<typeof receive>): Promise<EntryForm & { status: number }> => {
    const { context, answered } = receive(...asked)
    const form = await answered
    assert.ok(!(form instanceof Response), 'shows a form')
    return { ...form, status: Number(context.response.status) }
  }
  const stored = async (entry = id) => {
    const found = await findEntryById(desk.db, entry)
    assert.ok(found)
    return found
  }
  const draftOf = async (entry = id) => (await findEntryDraft(desk.db, entry))?.snapshot
  const isLive = () => goLive(desk.dataDir, { pages: [{ path: '/about', entryId: id, key: `entry:${id}` }] })
  return { ...desk, id, receive, post, show, stored, draftOf, isLive, to: `/admin/entries/pages/${id}` }
}

const PAGE = {
  title: 'About',
  slug: 'about',
  status: 'published',
  body: 'Text',
  'time-zone': 'America/Chicago',
}

test('a new entry is named after its title, and leads to its editor', async (t) => {
  const { post, stored, lastChange } = await anEditor(t)
  const answer = await post('pages', undefined, { ...PAGE, title: 'Big Day', slug: '' })
  const change = await lastChange()
  assert.partialDeepStrictEqual(change, { action: 'entry.added', subjectType: 'entry' })
  assert.match(change?.summary ?? '', /“Big Day” to Pages$/)
  const added = Number(change?.subjectId)
  assert.deepEqual([answer.status, answer.to], [303, `/admin/entries/pages/${added}`])
  assert.equal((await stored(added)).slug, 'big-day')
  await post('pages', undefined, { ...PAGE, title: 'Other Day', slug: 'day', act: 'save' })
  assert.equal((await stored(added + 1)).slug, 'day')
})

test('a save says when visitors see it', async (t) => {
  const { id, to, post, lastChange } = await anEditor(t)
  const saved = async (body: Fields) => {
    const answer = await post('pages', id, { ...PAGE, ...body })
    assert.deepEqual([answer.status, answer.to], [303, to])
    return answer.text.replace(/^.*? saved\. /, '')
  }
  assert.match(await saved({ body: 'New' }), /after the next publish/)
  const change = await lastChange()
  assert.partialDeepStrictEqual(change, { action: 'entry.changed', subjectId: String(id) })
  assert.match(change?.summary ?? '', /^Changed “About” in Pages$/)
  assert.match(await saved({ publish_at: EARLIER }), /after the next publish/)
  // In the site's time zone.
  assert.match(await saved({ publish_at: LATER }), /^Scheduled to go live on Jan 1, 2999, 8:00/)
  assert.match(await saved({ status: 'draft' }), /^Publish to remove/)
  assert.match(await saved({ status: 'draft' }), /can’t see drafts/)
})

test('a form that came back unchanged keeps spaces, and its times are in the zone of the form', async (t) => {
  const { db, post, stored } = await anEditor(t)
  const entry = await addEntry(db, 'pages', { slug: 'faq', title: ' FAQ ', body: 'Text\n' })
  await post('pages', entry, { ...PAGE, slug: 'faq', title: 'FAQ', body: 'Text', unpublish_at: LATER })
  assert.partialDeepStrictEqual(await stored(entry), {
    title: ' FAQ ',
    body: 'Text\n',
    unpublishAt: LATER_UTC,
  })
  await post('pages', entry, { ...PAGE, slug: 'faq', title: 'FAQ', 'time-zone': 'x', unpublish_at: LATER })
  assert.partialDeepStrictEqual(await stored(entry), {
    title: ' FAQ ',
    unpublishAt: '2999-01-01T08:00:00.000Z',
  })
})

test('unknown entries, and those of another type, are not found', async (t) => {
  const { db, id, receive } = await anEditor(t)
  const service = await addEntry(db, 'services', { slug: 'ac', title: 'AC' })
  for (const [type, entry] of [
    ['nothing', undefined],
    ['nothing', id],
    ['pages', service],
    ['pages', 99_999],
    ['pages', `${id}x`],
  ] as const) {
    const answer = await receive(type, entry).answered
    assert.equal(answer instanceof Response && answer.status, 404, `${type} ${entry}`)
  }
})

test('a form shows mistakes at their fields, what was typed, and saves nothing', async (t) => {
  const { id, show, stored } = await anEditor(t)
  const before = await stored()
  const form = await show('pages', id, { body: { ...PAGE, title: 'New', slug: 'No Slug' } })
  assert.deepEqual([form.status, Object.keys(form.errors)], [422, ['slug']])
  assert.deepEqual([form.values.title, form.values.slug, form.entry?.id], ['New', 'No Slug', id])
  assert.deepEqual(await stored(), before)
})

test('a page that someone else saved is not overwritten', async (t) => {
  const { id, show, post, stored } = await anEditor(t)
  const { basedOn = '' } = await show('pages', id)
  await post('pages', id, { ...PAGE, body: 'Theirs', based_on: basedOn })
  const form = await show('pages', id, { body: { ...PAGE, body: 'Mine', based_on: basedOn } })
  assert.deepEqual([form.status, form.values.body, (await stored()).body], [409, 'Mine', 'Theirs'])
  assert.match(form.errors['']?.[0] ?? '', /saved the page/)
  assert.notEqual(form.basedOn, basedOn)
  assert.equal((await post('pages', id, { ...PAGE, body: 'Mine', based_on: form.basedOn ?? '' })).status, 303)
})

test('the form shows the terms of an entry, or of its draft', async (t) => {
  const { id, db, show, post } = await anEditor(t)
  const places = await addPlaces(db, 'austin', 'dallas')
  const [austin = 0, dallas = 0] = places.values()
  const { type } = await show('pages', id)
  await replaceEntryTerms(db, type.id, new Map([[id, [austin]]]))
  assert.deepEqual((await show('pages', id)).values.termIds, [austin])
  await post('pages', id, { ...PAGE, 'terms[]': String(dallas), act: 'draft' })
  assert.deepEqual((await show('pages', id)).values.termIds, [dallas])
})

test('a review is not named after its title', async (t) => {
  const { post, stored, lastChange } = await anEditor(t)
  const review = { title: 'Great work', status: 'published', body: 'Fine', author: 'Ann Example' }
  await post('testimonials', undefined, review)
  const { slug } = await stored(Number((await lastChange())?.subjectId))
  assert.match(slug, /^ann-example/)
})

test('a new entry is a published one in the form, and a draft on the site', async (t) => {
  const { show } = await anEditor(t)
  const { entry, draft, state, values, basedOn, status } = await show('pages')
  assert.deepEqual([entry, draft, state, basedOn, status], [undefined, undefined, 'draft', undefined, 200])
  assert.deepEqual([values.status, values.fields], ['published', {}])
  const local = await show('location_services', undefined, { query: '?service=7&place=austin' })
  assert.deepEqual(local.values.fields, { service_entry_id: 7, location_term_id: 'austin' })
})

test('the small buttons change the form and save nothing', async (t) => {
  const { db, show, stored } = await anEditor(t)
  const service = {
    slug: 'ac',
    id: await addEntry(db, 'services', { slug: 'ac', title: 'AC', body: 'Ours' }),
  }
  const austin = (await addPlaces(db, 'austin')).get('austin') as number
  const id = await offer(db, service, { slug: 'austin', id: austin }, { title: 'Own', body: 'Local' })
  const before = await stored(id)
  const fields = { service_entry_id: String(service.id), location_term_id: 'austin' }
  const after = async (act: string, own: Fields = {}) => {
    const body = { ...fields, title: 'Own', body: 'Local', phone: '1', ...own, act }
    const form = await show('location_services', id, { body })
    assert.equal(form.status, 200)
    return form.values
  }
  assert.partialDeepStrictEqual(await after('restore'), { title: 'Own', body: 'Local' })
  assert.partialDeepStrictEqual(await after('reset:title'), { title: '', body: 'Local' })
  assert.partialDeepStrictEqual(await after('reset:body'), { title: 'Own', body: '' })
  assert.equal((await after('reset:phone')).fields.phone, undefined)
  assert.equal((await after('reset:x')).fields.phone, '1')
  const { body: both } = await after('extend:body')
  assert.match(both, /^Local\n\n\{\{service\}\}$/)
  assert.equal((await after('replace:body', { body: both })).body, 'Local')
  assert.equal((await after('start:body', { body: '' })).body, 'Ours')
  assert.equal((await after('start:body')).body, 'Local')
  assert.equal((await after('reset:title', { body: '' })).body, '')
  assert.deepEqual(await stored(id), before)
  const page = await show('pages', undefined, { body: { ...PAGE, body: '', act: 'start:body' } })
  assert.equal(page.values.body, '')
})

test('a draft is saved beside what visitors see, and shown by the form', async (t) => {
  const { id, to, post, show, stored, draftOf, isLive, lastChange } = await anEditor(t)
  const answer = await post('pages', id, { ...PAGE, title: 'New', act: 'draft' })
  assert.deepEqual([answer.status, answer.to], [303, to])
  assert.match(answer.text, /^Draft of “About” saved\. Visitors can’t see drafts/)
  assert.deepEqual([(await stored()).title, (await draftOf())?.title], ['About', 'New'])
  const change = await lastChange()
  assert.partialDeepStrictEqual(change, { action: 'entry.draft_saved', subjectId: String(id) })
  assert.match(change?.summary ?? '', /^Saved a draft of “About” in Pages$/)
  const form = await show('pages', id)
  assert.deepEqual(
    [form.values.title, form.draft?.snapshot.title, form.entry?.title],
    ['New', 'New', 'About'],
  )
  await isLive()
  const next = await post('pages', id, { ...PAGE, title: 'Newer', act: 'draft' })
  assert.match(next.text, /still see the live version/)
  assert.equal((await draftOf())?.title, 'Newer')
})

test('a draft of a new or missing entry is not saved', async (t) => {
  const { db, receive } = await anEditor(t)
  const { answered } = receive('pages', undefined, { body: { ...PAGE, act: 'draft' } })
  const answer = await answered
  assert.equal(answer instanceof Response && answer.status, 404)
  assert.equal((await db.selectFrom('content_entries').select('id').execute()).length, 1)
})

test('a preview of a published page shows its draft, and one of a draft the page', async (t) => {
  const { id, post, stored, draftOf } = await anEditor(t)
  const address = `/admin/publish/previews?only=entry:${id}`
  assert.equal((await post('pages', id, { ...PAGE, title: 'New', act: 'share' })).to, address)
  assert.deepEqual([(await stored()).title, (await draftOf())?.title], ['About', 'New'])
  await post('pages', id, { ...PAGE, title: 'Hidden', status: 'draft' })
  assert.equal(
    (await post('pages', id, { ...PAGE, title: 'New', status: 'draft', act: 'share' })).to,
    address,
  )
  assert.deepEqual([(await stored()).title, await draftOf()], ['New', undefined])
})

test('a change of a live page is scheduled as a draft, and can be unscheduled', async (t) => {
  const { id, to, post, stored, draftOf, isLive, lastChange } = await anEditor(t)
  await isLive()
  const scheduled = { ...PAGE, title: 'New', publish_at: LATER }
  const answer = await post('pages', id, { ...scheduled, act: 'schedule' })
  assert.deepEqual([answer.status, answer.to], [303, to])
  assert.match(answer.text, /^The change to “About” goes live on Jan 1, 2999, 8:00/)
  assert.match((await lastChange())?.summary ?? '', /^Scheduled a change to “About” in Pages$/)
  assert.partialDeepStrictEqual(await stored(), { title: 'About', publishAt: null })
  assert.partialDeepStrictEqual(await draftOf(), { title: 'New', publishAt: LATER_UTC })
  const kept = await post('pages', id, { ...scheduled, act: 'draft' })
  assert.match(kept.text, /^The change to “About” is no longer scheduled/)
  assert.partialDeepStrictEqual(await draftOf(), { title: 'New', publishAt: null })
  assert.match((await post('pages', id, { ...scheduled })).text, /goes live on/)
  assert.partialDeepStrictEqual(await stored(), { title: 'About' })
})

test('a page that isn’t live is scheduled itself', async (t) => {
  const { id, post, show, stored, draftOf, isLive } = await anEditor(t)
  const scheduled = { ...PAGE, status: 'draft', publish_at: LATER, act: 'schedule' }
  assert.match((await post('pages', id, scheduled)).text, /^“About” saved\. Scheduled to go live/)
  assert.partialDeepStrictEqual(await stored(), { status: 'published', publishAt: LATER_UTC })
  assert.equal(await draftOf(), undefined)
  await isLive()
  // Only another time is a change.
  await post('pages', id, { ...PAGE, title: 'New', publish_at: LATER })
  assert.deepEqual([(await stored()).title, await draftOf()], ['New', undefined])
  for (const publish_at of [EARLIER, '', 'soon']) {
    const form = await show('pages', id, { body: { ...scheduled, publish_at } })
    assert.deepEqual([form.status, Object.keys(form.errors)], [422, ['publish_at']], publish_at)
  }
})

test('the form knows the state of the entry, and links in its texts that lead nowhere', async (t) => {
  const { id, db, show, isLive } = await anEditor(t)
  const body = 'See [us](/about) and [nothing](/nothing).'
  await db.updateTable('content_entries').set({ body }).where('id', '=', id).execute()
  const before = await show('pages', id)
  assert.deepEqual([before.state, before.brokenLinks], ['pending', []])
  await isLive()
  const { state, brokenLinks } = await show('pages', id)
  assert.equal(state, 'changed')
  assert.deepEqual(brokenLinks, [{ label: 'Text', target: '/nothing' }])
  const typed = await show('pages', id, { body: { ...PAGE, body: '[a](/none)', act: 'restore' } })
  assert.deepEqual(
    typed.brokenLinks.map(({ target }) => target),
    ['/none'],
  )
  const service = await addEntry(db, 'services', { slug: 'ac', title: 'AC', data: { intro: '[b](/lost)' } })
  const links = (await show('services', service)).brokenLinks
  assert.ok(links.every(({ target }) => target === '/lost'))
})
