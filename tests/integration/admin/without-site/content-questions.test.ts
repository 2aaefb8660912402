import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { receiveDecision } from '#src/admin/conflicts/receive-decision.ts'
import { receiveContentType } from '#src/admin/content-types/content-type-form.ts'
import { readOfferChange } from '#src/admin/coverage/read-offer-change.ts'
import { brokenLinksOf } from '#src/admin/editing/links/broken-links-of.ts'
import { findLinkOptions } from '#src/admin/editing/links/find-link-options.ts'
import { findContentType, insertContentType } from '#src/entries/types/content-type-store.ts'
import { anAdminPage } from '../../../support/admin-page.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { storeForm } from '../../../support/forms.ts'
import { goLive } from '../../../support/live-release.ts'
import { addEntry, addPlaces, offer } from '../../../support/small-site.ts'

test('a link is offered by the names of pages, with local pages last', async (t) => {
  const db = await openTestDatabase(t)
  const ac = {
    slug: 'ac-repair',
    id: await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' }),
  }
  const austin = { slug: 'austin', id: (await addPlaces(db, 'austin')).get('austin') as number }
  await offer(db, ac, austin)
  await addEntry(db, 'pages', { slug: 'about', title: 'About us' })
  await addEntry(db, 'pages', { slug: 'repair-draft', title: 'Repair draft', status: 'draft' })
  await addEntry(db, 'testimonials', { slug: 'repair', title: 'Great repair' })
  await storeForm(db, 'quote', { name: 'Repair quote' })
  await storeForm(db, 'old', { name: 'Old repair quote', status: 'archived' })
  const pathsFor = async (search: string) => (await findLinkOptions(db, search)).map(({ path }) => path)
  assert.deepEqual(await pathsFor('repair'), [
    ...['/forms/quote', '/services/ac-repair', '/services/ac-repair/austin'],
  ])
  assert.deepEqual(await pathsFor(' REPAIR  quote'), ['/forms/quote'])
  assert.deepEqual(await pathsFor('austin repair'), ['/services/ac-repair/austin'])
  assert.deepEqual(await pathsFor('nothing'), [])
  const all = await findLinkOptions(db, '')
  assert.deepEqual(
    all.slice(0, 3).map(({ path }) => path),
    ['/', '/services', '/forms/quote'],
  )
  assert.partialDeepStrictEqual(all, [{ name: 'About us', path: '/about' }])
  assert.equal(all.at(-1)?.name, 'AC repair in Austin')
  for (let at = 0; at < 12; at++) await addEntry(db, 'testimonials', { slug: `a${at}`, title: 'About' })
  assert.deepEqual(await pathsFor('about'), ['/about'])
  for (let at = 0; at < 20; at++) await addEntry(db, 'pages', { slug: `p${at}`, title: `Page ${at}` })
  assert.equal((await findLinkOptions(db, '')).length, 12)
  // Only the start of a very long search counts.
  assert.deepEqual(await pathsFor(`about${' '.repeat(95)}nothing`), ['/about'])
  assert.deepEqual(await pathsFor('about\u0000'), ['/about'])
})

test('broken links are found in the texts of a form', async (t) => {
  const { db, open, dataDir } = await anAdminPage(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  await goLive(dataDir)
  const links = await brokenLinksOf(open('/admin'), [{ label: 'Text', text: '[a](/none) [b](/about)' }])
  assert.deepEqual(links, [{ label: 'Text', target: '/none' }])
})

test('a change of offers is asked for in the address, and confirmed by a post', async (t) => {
  const { db, open } = await anAdminPage(t)
  const place = (await addPlaces(db, 'texas')).get('texas') as number
  const ask = (query: string, body?: Record<string, string>) =>
    readOfferChange(open(`/admin/coverage/offers?${query}`, body && { post: body }))
  const query = 'change=add&reach=branch&place=texas&service=3&service=4'
  const asked = { change: 'add', reach: 'branch', placeId: place, serviceIds: [3, 4], removesWritten: false }
  assert.deepEqual(await ask(query), asked)
  assert.deepEqual(await ask(query, {}), asked)
  assert.deepEqual(await ask(query, { removes_written: '1' }), { ...asked, removesWritten: true })
  assert.deepEqual(await ask(`${query}&removes_written=1`), asked)
  for (const [part, other] of [
    ['change=add', 'change=remove'],
    ['reach=branch', 'reach=place'],
    ['reach=branch', 'reach=below'],
    ['&service=3&service=4', ''],
  ] as const)
    assert.ok(await ask(query.replace(part, other)), other)
  for (const [part, other] of [
    ['change=add', 'change=x'],
    ['reach=branch', 'reach=x'],
    ['place=texas', 'place=ohio'],
    ['place=texas', ''],
    ['service=3', 'service=x'],
    ['service=3', 'service=1.5'],
    ['service=3', Array(1_001).fill('service=3').join('&')],
  ] as const)
    assert.equal(await ask(query.replace(part, other)), undefined, other.slice(0, 20))
})

test('a conflict is decided with all that is needed, by users who may', async (t) => {
  const { open } = await anAdminPage(t)
  const decide = async (body?: Record<string, string>, role: 'owner' | 'editor' = 'owner') => {
    const context = open('/admin/conflicts', { role, ...(body && { post: body }) })
    const reasons = await receiveDecision(context)
    return { reasons, status: context.response.status, refused: context.locals.refused }
  }
  assert.deepEqual(await decide(), { reasons: {}, status: 200, refused: undefined })
  const decision = { path: 'forms/quote.yaml', version: 'v1', prefer: 'file' }
  for (const wrong of [{ path: '' }, { version: '' }, { prefer: 'x' }, { fields: 'title' }])
    assert.partialDeepStrictEqual(await decide({ ...decision, ...wrong }), { reasons: {}, status: 422 })
  const { reasons, ...answer } = await decide(decision, 'editor')
  assert.deepEqual(answer, { status: 403, refused: 'forbidden' })
  assert.deepEqual(Object.keys(reasons), ['forms/quote.yaml'])
})

const PROJECT = {
  ...{ name: 'Projects', slug: 'projects', is_routable: 'on', route_pattern: '/projects/{slug}' },
  ...{ sort_order: '50', 'fields.0.label': 'Year', 'fields.0.key': 'year', 'fields.0.type': 'number' },
}

async function aDesigner(t: TestContext) {
  const desk = await anAdminPage(t)
  const receive = async (type?: string, body?: Record<string, string>) => {
    const context = desk.open('/admin/content-types', {
      params: type === undefined ? {} : { type },
      ...(body && { post: body }),
    })
    const answer = await receiveContentType(context)
    return { context, answer }
  }
  const post = async (type: string | undefined, body: Record<string, string>) =>
    desk.toldBy((await receive(type, body)).answer)
  const show = async (...asked: Parameters<typeof receive>) => {
    const { context, answer } = await receive(...asked)
    assert.ok(!(answer instanceof Response), 'shows a form')
    return { ...answer, status: context.response.status }
  }
  return { ...desk, post, show }
}

test('a content type is added and changed, and the audit log says so', async (t) => {
  const { db, post, show, lastChange } = await aDesigner(t)
  const blank = await show()
  assert.deepEqual([blank.type, blank.basedOn, blank.values.is_routable], [undefined, undefined, true])
  assert.deepEqual([blank.values.name, blank.values.slug, blank.values.schema], ['', '', { fields: [] }])
  const added = await post(undefined, PROJECT)
  assert.deepEqual([added.status, added.to], [303, '/admin/content-types/projects'])
  const { id } = (await findContentType(db, 'projects')) ?? {}
  const first = await lastChange()
  assert.partialDeepStrictEqual(first, { action: 'content_type.added', subjectId: String(id) })
  assert.match(first?.summary ?? '', /Projects/)
  const form = await show('projects')
  assert.deepEqual(
    [form.values.slug, form.values.route_pattern, form.type?.id],
    ['projects', '/projects/{slug}', id],
  )
  const body = { ...PROJECT, name: 'Our projects', based_on: form.basedOn ?? '' }
  assert.equal((await post('projects', body)).to, '/admin/content-types/projects')
  const second = await lastChange()
  assert.partialDeepStrictEqual(second, { action: 'content_type.changed', subjectId: String(id) })
  assert.notEqual(second?.summary, first?.summary)
  const late = await show('projects', { ...body, name: 'Late' })
  assert.equal(late.status, 409)
  assert.match(late.errors['']?.[0] ?? '', /content type/)
  assert.notEqual(late.basedOn, form.basedOn)
})

test('a content type shows its mistakes, and keeps its slug', async (t) => {
  const { db, post, show } = await aDesigner(t)
  const wrong = await show(undefined, { ...PROJECT, name: '', slug: 'projects' })
  assert.deepEqual([wrong.status, wrong.values.slug, Object.keys(wrong.errors)], [422, 'projects', ['name']])
  await post(undefined, PROJECT)
  const renamed = await show('projects', { ...PROJECT, name: '', slug: 'other' })
  assert.deepEqual([renamed.values.slug, renamed.type?.slug], ['projects', 'projects'])
  await insertContentType(db, 'deep', {
    ...{
      name: 'Deep',
      description: null,
      sortOrder: 1,
      isRoutable: false,
      routePattern: null,
      detailPartial: null,
    },
    fields: [
      {
        ...{ key: 'a', label: 'A', type: 'list' },
        fields: [{ key: 'b', label: 'B', type: 'list', fields: [{ key: 'c', label: 'C', type: 'text' }] }],
      },
    ],
  })
  assert.ok((await show('deep')).type)
  // The form would lose the inner list.
  assert.equal((await post('deep', { ...PROJECT, slug: 'deep' })).status, 404)
  assert.equal((await post('nothing', PROJECT)).status, 404)
  assert.equal((await post('services', PROJECT)).status, 404)
})
