import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTaxonomy, insertTerms, listTerms } from '#src/taxonomies/taxonomy-store.ts'
import { buildTermTree } from '#src/taxonomies/term-tree.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { basedOn, type Page, readAnswer, readPage, wordsOf } from '../../support/pages/read-page.ts'
import { messageOf, newestChanges, openAfter } from '../../support/pages/told.ts'
import { editEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const LOCATIONS = '/admin/taxonomies/locations'

async function treeOf({ app }: AdminSite, slug = 'locations') {
  const taxonomy = await findTaxonomy(app.db, slug)
  assert.ok(taxonomy)
  return { taxonomy, tree: buildTermTree(await listTerms(app.db, taxonomy.id)) }
}

async function idOf(site: AdminSite, slug: string): Promise<number> {
  const term = (await treeOf(site)).tree.bySlug.get(slug)
  assert.ok(term, slug)
  return term.id
}

const lastChange = async ({ app }: AdminSite) =>
  (await app.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').executeTakeFirst())?.action

test('taxonomies are listed, created, edited, given archives, and deleted, and each change is logged', async (t) => {
  const site = await startAdmin(t)
  const listed = async () => (await site.open('/admin/taxonomies')).part('table')
  ;(await listed()).getByRole('link', { name: 'Service Categories' })
  ;(await listed()).getByRole('link', { name: 'Service areas' })
  const brand = {
    slug: 'brands',
    name: 'Brands <b>',
    applies: 'all',
    sort_order: '50',
    is_hierarchical: 'on',
  }
  const made = await site.post('/admin/taxonomies/new', brand)
  assert.deepEqual([made.status, made.headers.get('location')], [303, '/admin/taxonomies/brands'])
  assert.equal(await lastChange(site), 'taxonomy.added')
  assert.equal((await site.post('/admin/taxonomies/new', brand)).status, 422)
  const tooMuch = { ...brand, slug: 'more', sort_order: '3000000000' }
  assert.equal((await site.post('/admin/taxonomies/new', tooMuch)).status, 422)
  await site.post('/admin/taxonomies/brands/settings', { ...brand, name: 'Br\0ands <b>' })
  assert.equal((await treeOf(site, 'brands')).taxonomy.name, 'Brands <b>')
  ;(await site.open('/admin/taxonomies/brands')).getByText(/^No categories yet/)
  ;(await listed()).getByRole('link', { name: 'Brands <b>' })
  const settings = '/admin/taxonomies/brands/settings'
  const older = basedOn(await site.open(settings))
  await site.post(settings, { ...brand, based_on: older, archive: 'on' })
  const stale = { ...brand, based_on: older, name: 'Typed' }
  const refused = await readAnswer(await site.post(settings, stale), 409)
  const why = 'Someone else saved the category list after you opened this page.'
  assert.ok(refused.part('alert').words.startsWith(why))
  assert.equal(refused.valueOf('Name'), 'Typed')
  const current = await site.open(settings)
  assert.equal(basedOn(refused), basedOn(current))
  assert.equal((await treeOf(site, 'brands')).taxonomy.hasArchive, true)
  current.getByText(/^Public pages: \/taxonomy\/brands/)
  ;(await site.open('/admin/taxonomies/brands/removal')).getByText(/^0 categories/, { selector: 'li' })
  await site.post('/admin/taxonomies/brands/removal')
  assert.equal((await site.fetch('/admin/taxonomies/brands')).status, 404)
  assert.equal(await lastChange(site), 'taxonomy.deleted')
})

test('§2.6 a built-in taxonomy can’t be deleted', async (t) => {
  const site = await startAdmin(t)
  assert.equal((await site.post(`${LOCATIONS}/removal`)).status, 404)
  const settings = await site.open(`${LOCATIONS}/settings`)
  assert.equal(settings.queryAllByRole('link', { name: /Delete/ }).length, 0)
})

test('a pasted list is previewed with its slugs, and an invalid list adds nothing', async (t) => {
  const site = await startAdmin(t)
  const add = (list: string, act: string) => site.post(`${LOCATIONS}/terms/new`, { list, act })
  const shown = await readAnswer(await add('Kansas\n  Austin\n  Wichita', 'preview'))
  const preview = shown.part('region', { name: 'Preview' })
  preview.getByRole('heading', { name: '3 places to add' })
  assert.deepEqual(preview.getAllByRole('listitem').map(wordsOf), [
    'Kansas kansas',
    'Austin austin-kansas',
    'Wichita wichita',
  ])
  assert.equal((await treeOf(site)).tree.bySlug.has('kansas'), false)
  const wrong = await add('Kansas | Kan sas', 'add')
  const mistake = (await readAnswer(wrong, 422)).mistakeOf('Names')
  assert.ok(mistake?.startsWith('Line 1: “Kan sas” is not a valid address.'))
  assert.equal((await add('Kansas\n  Austin\n  Wichita', 'add')).status, 303)
  const { tree } = await treeOf(site)
  assert.deepEqual(
    tree.bySlug.get('kansas')?.children.map(({ slug }) => slug),
    ['austin-kansas', 'wichita'],
  )
})

test('places are added inside another from its page, the list, and the form', async (t) => {
  const site = await startAdmin(t)
  const texas = await idOf(site, 'texas')
  const namesInTexas = async () =>
    (await treeOf(site)).tree.byId.get(texas)?.children.map(({ name }) => name) ?? []
  const before = await namesInTexas()
  const own = await site.open(`${LOCATIONS}/terms/${texas}`)
  own.getByRole('heading', { name: 'Add places to Texas' })
  const { form } = own.getByRole<HTMLButtonElement>('button', { name: 'Add places' })
  await site.post(form?.getAttribute('action') ?? '', { list: 'Waco\nTemple', act: 'add' })
  assert.deepEqual(await namesInTexas(), [...before, 'Waco', 'Temple'])

  const link = (await site.open(LOCATIONS)).getByRole('link', { name: 'Add places to Texas' })
  const page = await site.open(link.getAttribute('href') ?? '')
  const menu = page.getByRole<HTMLSelectElement>('combobox', { name: 'Add to' })
  assert.equal(menu.selectedOptions[0]?.textContent?.trim(), 'Texas')
  const add = (inside: string) => site.post(`${LOCATIONS}/terms/new`, { list: 'Plano', inside, act: 'add' })
  const added = await add(String(texas))
  const plano = await idOf(site, 'plano')
  assert.equal(
    added.headers.get('location'),
    `${LOCATIONS}?branch=${texas}&new=${plano}-${plano}#term-${plano}`,
  )
  // Known names add nothing and stay where they are.
  assert.equal((await add(String(texas))).headers.get('location'), `${LOCATIONS}?branch=${texas}`)
  const refused = await readAnswer(await add('999'), 422)
  assert.equal(refused.mistakeOf('Add to'), 'The parent was deleted. Choose another.')
})

test('the services of a new place are chosen on the screen that adds it, and its effect is named', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const { id: repair } = await db
    .selectFrom('content_entries')
    .select('id')
    .where('slug', '=', 'ac-repair')
    .executeTakeFirstOrThrow()
  await editEntry(db, repair, { data: { offered_in: ['texas/**'] } })
  const drains = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  const [usa, texas] = [await idOf(site, 'usa'), await idOf(site, 'texas')]
  const chosenOn = async (path: string) =>
    (await site.open(path))
      .part('group', { name: 'Services in these places' })
      .getAllByRole<HTMLInputElement>('checkbox')
      .map(({ checked, parentElement }) => [parentElement && wordsOf(parentElement), checked])
  // A service that is offered in all of Texas is expected in the new place, too.
  const offered = [
    ['AC repair', true],
    ['Drains', false],
  ]
  assert.deepEqual(await chosenOn(`${LOCATIONS}/terms/new?parent=${texas}`), offered)
  assert.deepEqual(await chosenOn(`${LOCATIONS}/terms/${texas}`), offered)
  const reason = /Services offered throughout Texas are already selected\./
  ;(await site.open(`${LOCATIONS}/terms/${texas}`)).getByText(reason)
  assert.equal((await site.open(`${LOCATIONS}/terms/${usa}`)).queryByText(/already selected/), null)
  const austin = await idOf(site, 'austin')
  for (const path of [`${LOCATIONS}/terms/new?parent=${austin}`, `${LOCATIONS}/terms/${austin}`])
    (await site.open(path)).getByText('Places in Austin are listed on its pages, not on the home page.')
  assert.equal((await site.open(`${LOCATIONS}/terms/${texas}`)).queryByText(/are listed on its pages/), null)
  assert.ok((await chosenOn(`${LOCATIONS}/terms/new?parent=${usa}`)).every(([, checked]) => !checked))

  const add = (list: string, services: readonly number[], act = 'add') =>
    site.post(`${LOCATIONS}/terms/new?parent=${texas}`, {
      list,
      act,
      services: ['', ...services.map(String)],
    })
  const preview = await readAnswer(await add('Waco\n  Downtown', [drains], 'preview'))
  preview.part('region', { name: 'Preview' }).getByText('2 local pages: Drains')
  const added = await add('Waco\n  Downtown', [drains])
  assert.equal(
    messageOf(added),
    '2 places added. 2 local pages added. Publish to update the site.' +
      ' Search engines list a local page only if it has its own text. Write an introduction for:',
  )
  const told = await openAfter(site, added)
  for (const name of ['Drains in Waco', 'Drains in Downtown'])
    assert.match(
      told.getByRole('link', { name }).getAttribute('href') ?? '',
      /^\/admin\/entries\/location_services\/\d+$/,
    )
  assert.equal(messageOf(await add('Temple', [])), 'Temple added.')
  await add('Plano', [repair])
  const pages = await db
    .selectFrom('content_entries')
    .select('slug')
    .where('slug', 'like', '%/%')
    .orderBy('slug')
    .execute()
  const made = pages.map(({ slug }) => slug).filter((slug) => /waco|downtown|temple|plano/.test(slug))
  assert.deepEqual(made, ['ac-repair/plano', 'drains/downtown', 'drains/waco'])
  const { data_json } = await db
    .selectFrom('content_entries')
    .select('data_json')
    .where('id', '=', repair)
    .executeTakeFirstOrThrow()
  assert.deepEqual(JSON.parse(data_json).offered_in, ['texas/**', 'except waco/**', 'except temple/**'])
})

test('a new place is marked in the tree and leads to its services', async (t) => {
  const site = await startAdmin(t)
  const texas = await idOf(site, 'texas')
  // More siblings than the tree shows at once.
  const { taxonomy } = await treeOf(site)
  const rows = Array.from({ length: 250 }, (_, index) => ({
    ...{ slug: `town-${index}`, name: `Town ${index}`, description: null, parentId: texas, position: index },
  }))
  await insertTerms(site.app.db, taxonomy.id, rows)
  const added = await site.post(`${LOCATIONS}/terms/new`, { list: 'Buda', inside: String(texas) })
  const services = `${LOCATIONS}/terms/${await idOf(site, 'buda')}#services`
  const tree = await openAfter(site, added)
  assert.equal(tree.getByRole('link', { name: 'Choose the place’s services' }).getAttribute('href'), services)
  const marked = tree.getAllByText('New').map((mark) => mark.closest('li'))
  assert.deepEqual(
    marked.map((row) => row?.id),
    [`term-${await idOf(site, 'buda')}`],
  )
  const next = tree.getByRole('link', { name: 'Services in Buda' })
  assert.equal(next.getAttribute('href'), services)
  const listed = tree.getByRole('link', { name: 'Add places' })
  assert.equal(listed.getAttribute('href'), `${LOCATIONS}/terms/new?parent=${texas}`)

  const two = await openAfter(site, await site.post(`${LOCATIONS}/terms/new`, { list: 'Ohio\nIowa' }))
  two.getByText(/^2 places added\. Choose the services for these places:/)
  assert.equal(two.getAllByRole('link', { name: 'Ohio' }).length, 2, 'in the message and in the tree')
  const topics = '/admin/taxonomies/service_categories'
  const category = await openAfter(site, await site.post(`${topics}/terms/new`, { list: 'Cooling' }))
  category.getByText('Cooling added.')
  assert.deepEqual(category.queryAllByRole('link', { name: /services/ }), [])
})

test('the services of a place are chosen on its page, like in the editor of each service', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const repair = await db
    .selectFrom('content_entries')
    .select('id')
    .where('slug', '=', 'ac-repair')
    .executeTakeFirstOrThrow()
  const drains = await addEntry(db, 'services', { slug: 'drains', title: 'Drains', status: 'draft' })
  await editEntry(db, repair.id, { data: { offered_in: ['texas/**'] } })
  await site.post(`${LOCATIONS}/terms/new`, { list: 'Waco', inside: String(await idOf(site, 'texas')) })
  const path = `${LOCATIONS}/terms/${await idOf(site, 'waco')}`
  const shown = (page: Page) => page.part('group', { name: 'Services in Waco' })
  const chosen = (page: Page) =>
    shown(page)
      .getAllByRole<HTMLInputElement>('checkbox', { checked: true })
      .map(({ parentElement }) => parentElement && wordsOf(parentElement))
  const opened = await site.open(path)
  assert.deepEqual(chosen(opened), ['AC repair'])
  shown(opened).getByText('draft: no pages')
  shown(opened).getByRole('link', { name: 'Local page for AC repair' })
  const { form } = opened.getByRole<HTMLButtonElement>('button', { name: 'Save services' })
  const save = (services: readonly number[], based_on: string) =>
    site.post(form?.getAttribute('action') ?? '', { services: ['', ...services.map(String)], based_on })
  const based = form?.querySelector<HTMLInputElement>('[name=based_on]')?.value ?? ''
  const saved = await save([drains], based)
  assert.equal(saved.headers.get('location'), path)
  assert.match(
    messageOf(saved),
    /^Services in Waco saved\. 1 local page added, 1 local page removed\. Publish/,
  )
  assert.deepEqual(await newestChanges(site), ['Changed the services in Waco'])
  assert.deepEqual(chosen(await openAfter(site, saved)), ['Drains draft: no pages'])
  const patternsOf = async (id: number) =>
    (await site.open(`/admin/entries/services/${id}`)).valueOf('Offered in')
  assert.equal(await patternsOf(repair.id), 'texas/**\nexcept waco')
  assert.equal(await patternsOf(drains), 'waco')
  const versions = await site.open(`/admin/entries/services/${drains}/versions`)
  versions.getAllByText(/Offered in/)

  // Someone else's choice isn't overwritten unseen.
  const stale = await readAnswer(await save([repair.id], based), 409)
  stale.part('alert').getByText(/^Someone else saved the services of this place/)
  assert.deepEqual(chosen(stale), ['AC repair'])
  assert.equal(await patternsOf(drains), 'waco')
  // A local page with its own content stays.
  const austin = `${LOCATIONS}/terms/${await idOf(site, 'austin')}`
  const kept = await openAfter(site, await site.post(`${austin}/services`, { services: [''] }))
  kept.part('group', { name: 'Services in Austin' }).getByText('custom content')
  assert.equal((await site.fetch('/admin/taxonomies/service_categories/terms/1/services')).status, 404)
})

test('a draft is marked where local pages are listed', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const { id, service_entry_id: service } = await db
    .selectFrom('content_entries')
    .select(['id', 'service_entry_id'])
    .where('slug', '=', 'ac-repair/austin')
    .executeTakeFirstOrThrow()
  const austin = `${LOCATIONS}/terms/${await idOf(site, 'austin')}`
  const removal = `/admin/coverage/offers?change=remove&reach=branch&place=texas&service=${service}`
  assert.equal((await site.open(austin)).queryByText('draft'), null)
  await editEntry(db, id, { status: 'draft' })
  const page = await site.open(austin)
  assert.equal(page.getAllByText('draft').length, 2, 'at the service and at what uses the place')
  ;(await site.open(removal)).getByText(/AC repair in Austin \(draft\)/)
})

test('buttons and drag-and-drop move a term, return to it, and refuse cycles', async (t) => {
  const site = await startAdmin(t)
  const [usa, texas, austin] = [
    await idOf(site, 'usa'),
    await idOf(site, 'texas'),
    await idOf(site, 'austin'),
  ]
  const back = `${LOCATIONS}?branch=${usa}`
  const out = await site.post(`${LOCATIONS}/moves`, { back, step: `outdent:${austin}` })
  assert.equal(out.headers.get('location'), `${back}&focus=outdent%3A${austin}`)
  const moved = await site.open(`${LOCATIONS}?focus=outdent:${austin}`)
  const button = moved.getByRole('button', { name: 'Move Austin out one level' })
  assert.ok(button.hasAttribute('autofocus'))
  await site.post(`${LOCATIONS}/moves`, { back, term: String(austin), parent: String(texas), index: '0' })
  assert.equal((await treeOf(site)).tree.byId.get(austin)?.parentId, texas)
  const cycle = { back, term: String(usa), parent: String(austin), index: '0' }
  const refused = await site.post(`${LOCATIONS}/moves`, cycle)
  assert.equal(refused.status, 303)
  assert.equal((await treeOf(site)).tree.byId.get(usa)?.parentId, null)
  assert.equal((await site.post(`${LOCATIONS}/moves`, { back, step: 'sideways:1' })).status, 404)
})

test('changing a slug used in page addresses asks for confirmation', async (t) => {
  const site = await startAdmin(t)
  const austin = await idOf(site, 'austin')
  const path = `${LOCATIONS}/terms/${austin}`
  const editor = await site.open(path)
  editor.getByRole('textbox', { name: 'Page address', description: 'Used in 1 page address.' })
  const edit = { name: 'Austin', slug: 'austin-tx', description: '', parent: 'texas' }
  const asked = await site.post(path, edit)
  const question = await readAnswer(asked, 422)
  assert.equal(
    question.mistakeOf('Change page addresses'),
    'Select this checkbox to change the address anyway.',
  )
  assert.equal((await site.post(path, { ...edit, moves_addresses: 'on' })).status, 303)
  const slugs = await site.app.db.selectFrom('content_entries').select('slug').execute()
  assert.ok(slugs.some(({ slug }) => slug === 'ac-repair/austin-tx'))
  const nowhere = await readAnswer(await site.post(path, { ...edit, parent: 'nowhere' }), 422)
  assert.equal(nowhere.mistakeOf('Parent'), 'No place or category has the address “nowhere”.')
})

test('§2.6 a place’s kind follows from its depth unless set; other terms have no kind', async (t) => {
  const site = await startAdmin(t)
  const path = `${LOCATIONS}/terms/${await idOf(site, 'austin')}`
  const chosen = async () => {
    const choice = (await site.open(path)).part('combobox', { name: 'Type of place (optional)' })
    return choice.part('option', { selected: true }).words
  }
  assert.equal(await chosen(), 'Automatic (City, town, or village)')
  const edit = { name: 'Travis', slug: 'austin', description: '', parent: 'texas', kind: 'county' }
  assert.equal((await site.post(path, edit)).status, 303)
  assert.equal((await treeOf(site)).tree.bySlug.get('austin')?.kind, 'county')
  assert.equal(await chosen(), 'County or district')
  assert.equal((await site.post(path, { ...edit, kind: 'shire' })).status, 422)
  await site.post(path, { ...edit, kind: '' })
  assert.equal((await treeOf(site)).tree.bySlug.get('austin')?.kind, null)
  const categories = '/admin/taxonomies/service_categories'
  await site.post(`${categories}/terms/new`, { list: 'Cooling', act: 'add' })
  const cooling = (await treeOf(site, 'service_categories')).tree.bySlug.get('cooling')
  const other = await site.open(`${categories}/terms/${cooling?.id}`)
  other.control('Page address')
  assert.equal(other.queryAllByLabelText(/Type of place/).length, 0)
})

test('an outdated form doesn’t overwrite a term saved in another tab', async (t) => {
  const site = await startAdmin(t)
  const path = `${LOCATIONS}/terms/${await idOf(site, 'austin')}`
  const edit = { name: 'Austin', slug: 'austin', description: '', parent: 'texas' }
  const based_on = basedOn(await site.open(path))
  assert.equal((await site.post(path, { ...edit, based_on, description: 'Live music' })).status, 303)
  const stale = { ...edit, based_on, name: 'Typed' }
  const refused = await readAnswer(await site.post(path, stale), 409)
  const why = 'Someone else saved the place after you opened this page.'
  assert.ok(refused.part('alert').words.startsWith(why))
  assert.equal(refused.valueOf('Name'), 'Typed')
  const stored = (await treeOf(site)).tree.bySlug.get('austin')
  assert.deepEqual([stored?.name, stored?.description], ['Austin', 'Live music'])
  assert.equal((await site.post(path, { ...stale, based_on: basedOn(refused) })).status, 303)
  assert.equal((await treeOf(site)).tree.bySlug.get('austin')?.name, 'Typed')
})

test('a deletion lists everything it includes beforehand', async (t) => {
  const site = await startAdmin(t)
  const texas = await idOf(site, 'texas')
  const path = `${LOCATIONS}/terms/${texas}/removal`
  const taken = (await site.open(path)).getAllByRole('listitem').map(wordsOf)
  assert.ok(taken.includes('1 place inside: Austin'), taken.join())
  assert.ok(taken.includes('1 local page (1 with custom content: AC repair in Austin)'), taken.join())
  assert.equal((await site.post(path)).status, 303)
  assert.equal((await treeOf(site)).tree.bySlug.has('austin'), false)
  assert.equal(await lastChange(site), 'term.deleted')
})

test('a deletion names services that list only a place inside', async (t) => {
  const site = await startAdmin(t)
  await addEntry(site.app.db, 'services', {
    ...{ slug: 'drains', title: 'Drains' },
    data: { offered_in: ['austin'] },
  })
  const page = await site.open(`${LOCATIONS}/terms/${await idOf(site, 'texas')}/removal`)
  page.getByText('Drains will still list deleted places, but that will have no effect.')
})

test('10,000 terms are collapsed: a page shows a few hundred and can search all', async (t) => {
  const site = await startAdmin(t)
  const usa = await idOf(site, 'usa')
  const { taxonomy } = await treeOf(site)
  const rows = Array.from({ length: 10_000 }, (_, position) => ({
    ...{ slug: `area-${position}`, name: `Area ${position}`, description: null, parentId: usa, position },
  }))
  await insertTerms(site.app.db, taxonomy.id, rows)
  const folded = await site.open(LOCATIONS)
  folded.getByText('10002 inside')
  assert.equal(folded.queryAllByText('Area 5').length, 0)
  const branch = await site.read(`${LOCATIONS}?branch=${usa}`)
  assert.ok(branch.length < 300_000, String(branch.length))
  readPage(branch).getByText(/^Next \d+/)
  ;(await site.open(`${LOCATIONS}?q=area+9999`)).getByText('Area 9999')
})
