import assert from 'node:assert/strict'
import { test } from 'node:test'
import { within } from '@testing-library/dom'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { findEntry } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findTrashId } from '#src/versions/trash-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { basedOn, readAnswer, wordsOf } from '../../support/pages/read-page.ts'
import { messageOf } from '../../support/pages/told.ts'
import { addEntry, addProjects } from '../../support/small-site.ts'

async function entryOf({ app }: AdminSite, typeSlug: string, slug: string) {
  const type = await findContentType(app.db, typeSlug)
  const entry = type && (await findEntry(app.db, type.id, slug))
  assert.ok(entry, `there is ${typeSlug}/${slug}`)
  return entry
}

/** Opens the page that a post redirects to, which shows its message. */
async function openNext(site: AdminSite, posted: Response) {
  const set = posted.headers.getSetCookie().map((one) => one.split(';')[0])
  const headers = { cookie: [site.cookie, ...set].join('; ') }
  return readAnswer(await site.fetch(posted.headers.get('location') ?? '', { headers }))
}

const PROJECT = {
  ...{ name: 'Projects', slug: 'projects', is_routable: 'on', route_pattern: '/projects/{slug}' },
  ...{ sort_order: '50', 'fields.0.label': 'Year', 'fields.0.key': 'year', 'fields.0.type': 'number' },
  'fields.0.required': 'on',
  ...{ 'fields.1.label': 'Steps', 'fields.1.key': 'steps', 'fields.1.type': 'list' },
  'fields.1.parts': 'title | Title | text | required\ntext | Text | textarea',
}

test('entries, coverage and content types in the admin', async (t) => {
  const site = await startAdmin(t, {
    prepare: async (app) => {
      for (let i = 0; i < 60; i++) {
        const slug = `page-${String(i).padStart(2, '0')}`
        await addEntry(app.db, 'pages', { slug, title: `Page ${i}`, status: i % 2 ? 'draft' : 'published' })
      }
    },
  })

  await t.test('every page answers within 12 queries', async () => {
    const { id: service } = await entryOf(site, 'services', 'ac-repair')
    const { id: pair } = await entryOf(site, 'location_services', 'ac-repair/austin')
    for (const path of [
      '/admin',
      '/admin/entries',
      '/admin/entries/pages?q=page&state=draft&order=changed',
      '/admin/entries/location_services',
      '/admin/entries/services/new',
      `/admin/entries/services/${service}`,
      `/admin/entries/services/${service}/removal`,
      '/admin/entries/location_services/new',
      `/admin/entries/location_services/${pair}`,
      `/admin/entries/location_services/${pair}/reset`,
      '/admin/coverage',
      '/admin/coverage?branch=texas',
      `/admin/coverage/offers?change=add&reach=branch&place=usa&service=${service}`,
      '/admin/content-types',
      '/admin/content-types/services',
      '/admin/content-types/new',
    ])
      await site.read(path)
  })

  await t.test('unknown pages return 404', async () => {
    const { id } = await entryOf(site, 'services', 'ac-repair')
    for (const path of [
      '/admin/entries/nothing',
      '/admin/entries/services/999999',
      `/admin/entries/pages/${id}`,
      `/admin/entries/pages/${id}/removal`,
      '/admin/coverage?branch=atlantis',
      '/admin/coverage/offers?change=add&reach=all&place=usa&service=1',
      '/admin/content-types/nothing',
      '/admin/content-types/services/removal',
    ])
      assert.equal((await site.fetch(path)).status, 404, path)
  })

  await t.test('a list pages without repeating or skipping an entry', async () => {
    const first = await site.open('/admin/entries/pages')
    const next = first.getByRole('link', { name: 'Next page' }).getAttribute('href')
    const second = await site.open(String(next))
    const titles = [first, second].flatMap((page) =>
      page.part('table').getAllByRole('rowheader').map(wordsOf),
    )
    assert.deepEqual(
      titles,
      Array.from({ length: 60 }, (_, index) => `Page ${index}`),
    )
  })

  await t.test('an error is shown at its field with the input, and nothing is saved', async () => {
    const posted = { title: 'Big <b>day</b>', slug: 'Big Day', status: 'published', body: 'Hello' }
    const response = await site.post('/admin/entries/pages/new', posted)
    const page = await readAnswer(response, 422)
    assert.equal(page.valueOf('Title'), 'Big <b>day</b>')
    const mistake = 'Use up to 80 lowercase letters, digits, and hyphens.'
    assert.equal(page.mistakeOf('Page address'), mistake)
    const entries = site.app.db.selectFrom('content_entries').select('id')
    assert.deepEqual(await entries.where('title', '=', posted.title).execute(), [])
  })

  await t.test('a saved entry is shown again, and the audit log names the user', async () => {
    const posted = { title: 'Big Day', slug: '', status: 'published', body: 'Hello' }
    const response = await site.post('/admin/entries/pages/new', posted)
    const entry = await entryOf(site, 'pages', 'big-day')
    assert.equal(response.headers.get('location'), `/admin/entries/pages/${entry.id}`)
    const { summary, user_email } = await site.app.db
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.deepEqual([summary, user_email], ['Added “Big Day” to Pages', 'ann@example.com'])
    const path = `/admin/entries/pages/${entry.id}`
    for (const [values, told] of [
      [{ publish_at: '2999-01-01T08:00' }, 'Scheduled to go live on Jan 1, 2999, 8:00 AM UTC.'],
      [{ status: 'draft' }, 'Publish to remove this content from the site.'],
      [{ status: 'draft' }, 'Visitors can’t see drafts.'],
      [{}, 'Visitors will see your changes after the next publish.'],
    ] as const) {
      const saved = await site.post(path, { ...posted, slug: 'big-day', ...values })
      assert.ok(messageOf(saved).endsWith(`saved. ${told}`), messageOf(saved))
    }
  })

  await t.test(
    'the small buttons of lists and inherited fields change the form and save nothing',
    async () => {
      const service = await entryOf(site, 'services', 'ac-repair')
      const steps = {
        'steps.0.title': 'One',
        'steps.0.text': '1',
        'steps.1.title': 'Two',
        'steps.1.text': '2',
      }
      const response = await site.post(`/admin/entries/services/${service.id}`, {
        ...{ title: 'AC repair', slug: 'ac-repair', status: 'published', ...steps },
        act: 'up:steps.1',
      })
      const moved = (await readAnswer(response)).part('group', { name: /^Steps/ })
      assert.deepEqual([moved.valueOf('Title 1'), moved.valueOf('Title 2')], ['Two', 'One'])
      assert.equal((await entryOf(site, 'services', 'ac-repair')).data.steps, undefined)
    },
  )

  await t.test('a local page starts from its service’s text, and saves nothing until then', async () => {
    const service = await entryOf(site, 'services', 'ac-repair')
    const { id, data } = await entryOf(site, 'location_services', 'ac-repair/austin')
    const write = (body: string) =>
      site.app.db.updateTable('content_entries').set({ body }).where('id', '=', service.id).execute()
    await write('## Cold air\n\nWe [come](/contact) **today**.')
    const path = `/admin/entries/location_services/${id}`
    const editor = await site.open(path)
    assert.equal(editor.part('region', { name: 'Service text' }).words, 'Cold air We come today.')
    const fields = { service_entry_id: String(data.service_entry_id), location_term_id: 'austin', body: '' }
    const { name, value } = editor.getByRole<HTMLButtonElement>('button', {
      name: 'Copy the service’s text',
    })
    const start = async (body: string) =>
      (await readAnswer(await site.post(path, { ...fields, body, [name]: value }))).valueOf(
        'Text for this place',
      )
    assert.equal(await start(''), '## Cold air\n\nWe [come](/contact) **today**.')
    assert.equal(await start('Typed before'), 'Typed before')

    const press = async (button: string, body: string) => {
      const { name, value } = editor.getByRole<HTMLButtonElement>('button', { name: button })
      return (await readAnswer(await site.post(path, { ...fields, body, [name]: value }))).valueOf(
        'Text for this place',
      )
    }
    const extend = (body: string) => press('Add text for this place', body)
    assert.equal(await extend(''), '{{service}}')
    assert.equal(await extend('We know Austin.'), 'We know Austin.\n\n{{service}}')
    assert.equal(await extend('{{service}}\n\nCall.'), '{{service}}\n\nCall.')
    assert.equal(await press('Replace the service’s text', '{{service}}\n\nCall.'), 'Call.')
    const draft = { ...fields, body: 'We know Austin. {{service}}' }
    const preview = await readAnswer(await site.post('/admin/entries/location_services/preview', draft))
    preview.getByText('We know Austin.')
    preview.getByRole('heading', { level: 2, name: 'Cold air' })
    assert.equal((await entryOf(site, 'location_services', 'ac-repair/austin')).body, '')
    await write('')
  })

  await t.test('a local page whose place doesn’t exist shows no address', async () => {
    const { id, data } = await entryOf(site, 'location_services', 'ac-repair/austin')
    const path = `/admin/entries/location_services/${id}`
    assert.equal((await site.open(path)).fact('URL').words, '/services/ac-repair/austin')
    const fields = { service_entry_id: String(data.service_entry_id), location_term_id: 'austn' }
    const refused = await readAnswer(await site.post(path, { ...fields, status: 'published' }), 422)
    assert.doesNotMatch(refused.words, /undefined/)
  })

  await t.test('a local page is named by its service and place, and says whose content it has', async () => {
    const { id, data } = await entryOf(site, 'location_services', 'ac-repair/austin')
    const path = `/admin/entries/location_services/${id}`
    const fields = { service_entry_id: String(data.service_entry_id), location_term_id: 'austin' }
    const saved = await site.post(path, { ...fields, status: 'published', body: 'Cool.' })
    assert.match(messageOf(saved), /^“AC repair in Austin” saved\./)
    ;(await site.open(path)).getByText('custom content')
    const list = (await site.open('/admin/entries/location_services')).part('table')
    assert.match(list.words, /AC repair in Austin.*live ?unpublished changes ?custom content/)
    const question = 'Reset “AC repair in Austin”?'
    ;(await site.open(`${path}/reset`)).getByRole('heading', { level: 1, name: question })
    const reset = await site.post(`${path}/reset`)
    assert.equal(messageOf(reset), '“AC repair in Austin” reset to the service’s text.')
    ;(await site.open(path)).getByText('same as the service')
    const status = { ids: [String(id)], status: 'draft', back: '/admin/entries/location_services' }
    await site.post('/admin/entries/location_services/status', status)
    const { summary } = await site.app.db
      .selectFrom('audit_log')
      .select('summary')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(summary, 'Unpublished 1 entry in Local pages: AC repair in Austin')
    await site.post('/admin/entries/location_services/status', { ...status, status: 'published' })
  })

  await t.test('the preview renders the unsaved page in its template, without scripts', async () => {
    const { id, data } = await entryOf(site, 'location_services', 'ac-repair/austin')
    const response = await site.post('/admin/entries/location_services/preview', {
      ...{
        entry_id: String(id),
        service_entry_id: String(data.service_entry_id),
        location_term_id: 'austin',
      },
      ...{ title: 'Cool Austin', body: '## Unsaved\n\n<script>alert(1)</script>', status: 'draft' },
    })
    assert.equal(response.headers.get('x-robots-tag'), 'noindex, nofollow')
    const html = await response.clone().text()
    // Markup that must not be there is looked for in what was sent.
    assert.doesNotMatch(html, /alert\(1\)|<script[^>]*src=/)
    const page = await readAnswer(response)
    page.getByRole('heading', { level: 1, name: 'Cool Austin' })
    page.getByRole('heading', { level: 2, name: 'Unsaved' })
    assert.equal((await findEntryById(site.app.db, id))?.title, '')
  })

  await t.test('the preview of an entry without a title asks for one', async () => {
    for (const type of ['services', 'pages']) {
      const response = await site.post(`/admin/entries/${type}/preview`, { slug: 'ac-repair', title: ' ' })
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/plain'])
      assert.ok((await response.text()).startsWith('Enter a title and an address'))
    }
  })

  await t.test('the filter by status names live pages with changes, too', async () => {
    const { id } = await entryOf(site, 'pages', 'page-06')
    const changed = (await site.open('/admin/entries/pages')).getByRole('option', {
      name: 'Unpublished changes',
    })
    await site.post(`/admin/entries/pages/${id}`, { title: 'Page six', slug: 'page-06', status: 'published' })
    const listed = await site.open(`/admin/entries/pages?state=${changed.getAttribute('value')}`)
    assert.match(listed.part('row', { name: /Page six/ }).words, /live ?unpublished changes/)
  })

  await t.test('selected entries of a list are published together', async () => {
    const drafts = await Promise.all(['page-01', 'page-03'].map((slug) => entryOf(site, 'pages', slug)))
    const back = '/admin/entries/pages?state=draft'
    const ids = drafts.map(({ id }) => String(id))
    const response = await site.post('/admin/entries/pages/status', { ids, status: 'published', back })
    assert.equal(response.headers.get('location'), back)
    assert.equal((await entryOf(site, 'pages', 'page-03')).status, 'published')
    const again = await site.post('/admin/entries/pages/status', { ids, status: 'published', back })
    assert.equal(messageOf(again), 'Nothing was changed.')
  })

  await t.test('the list of reviews shows their authors, and deletes one', async () => {
    const data = { author: 'Ines F.', place: 'Denton, Texas' }
    const id = await addEntry(site.app.db, 'testimonials', { slug: 'wind', title: 'The north wind', data })
    const list = (await site.open('/admin/entries/testimonials')).part('table')
    list.getByRole('rowheader', { name: 'The north wind Ines F., Denton, Texas' })
    const remove = list.getByRole('link', { name: 'Delete “The north wind”' })
    assert.equal(remove.getAttribute('href'), `/admin/entries/testimonials/${id}/removal`)
    const question = await site.open(`/admin/entries/testimonials/${id}/removal`)
    question.getByRole('button', { name: 'Delete “The north wind”' })
    question.getByText('its text')
    const deleted = await site.post(`/admin/entries/testimonials/${id}/removal`)
    assert.match(messageOf(deleted), /^“The north wind” deleted/)
    ;(await site.open('/admin/trash')).getByRole('button', { name: 'Restore The north wind' })
  })

  await t.test('a review asks who said what, and is named after its author', async () => {
    const path = '/admin/entries/testimonials/new'
    const page = await site.open(path)
    const named = [...page.element.querySelectorAll('[name]')].map((input) => input.getAttribute('name'))
    const asked = ['author', 'body', 'title', 'place', 'service', 'slug']
    assert.deepEqual(
      named.filter((name) => name && asked.includes(name)),
      asked,
    )
    assert.equal(page.control('File name').closest('details')?.id, 'advanced')
    const review = { author: 'Ines F.', body: 'Warm again.', place: 'Denton, Texas', status: 'draft' }
    for (const slug of ['ines-f', 'ines-f-2']) {
      const saved = await site.post(path, review)
      assert.match(messageOf(saved), /^“Ines F\.” saved/)
      assert.equal((await entryOf(site, 'testimonials', slug)).title, 'Ines F.')
    }
    const list = (await site.open('/admin/entries/testimonials')).part('table')
    assert.equal(list.getAllByRole('rowheader', { name: 'Ines F. Denton, Texas' }).length, 2)

    const { id } = await entryOf(site, 'testimonials', 'ines-f')
    const editor = await site.open(`/admin/entries/testimonials/${id}`)
    assert.equal(editor.valueOf('Headline'), '')
    const edit = { ...review, slug: 'ines-f', based_on: basedOn(editor) }
    await site.post(`/admin/entries/testimonials/${id}`, { ...edit, title: 'Warm', author: 'Ines Ford' })
    const { title, data } = await entryOf(site, 'testimonials', 'ines-f')
    assert.deepEqual([title, data.author], ['Warm', 'Ines Ford'])
    const refused = await readAnswer(await site.post(path, { ...review, author: ' ' }), 422)
    assert.match(refused.mistakeOf('Author') ?? '', /^Author is missing/)
    assert.equal(refused.mistakeOf('Headline'), undefined)
    const taken = await readAnswer(await site.post(path, { ...review, slug: 'ines-f' }), 422)
    assert.ok(taken.control('File name').closest('details')?.hasAttribute('open'))
  })

  await t.test('the message about a deletion undoes it, and the next one links to the entry', async () => {
    const { id } = await entryOf(site, 'pages', 'page-05')
    const list = '/admin/entries/pages'
    const after = await openNext(site, await site.post(`${list}/${id}/removal`))
    const undo = after.part('status').getByRole('button', { name: 'Undo' }) as HTMLButtonElement
    const restored = await site.post(undo.form?.getAttribute('action') ?? '', { next: list })
    assert.equal(restored.headers.get('location'), list)
    assert.equal(messageOf(restored), '“Page 5” restored to Pages.')
    const link = (await openNext(site, restored)).part('status').getByRole('link', { name: 'Open “Page 5”' })
    assert.equal(link.getAttribute('href'), `${list}/${id}`)
    assert.equal((await entryOf(site, 'pages', 'page-05')).id, id)
  })

  await t.test('a deletion and a restore say whether the page is still on the site', async () => {
    const deleted: string[] = []
    const restore = async (id: number) => {
      deleted.push(messageOf(await site.post(`/admin/entries/pages/${id}/removal`)))
      const undo = await findTrashId(site.app.db, { kind: 'entry', id })
      return messageOf(await site.post(`/admin/trash/${undo}/restoration`))
    }
    const { id: live } = await entryOf(site, 'pages', 'page-04')
    assert.equal(await restore(live), '“Page 4” restored to Pages. The item is still on the site.')
    const added = await addEntry(site.app.db, 'pages', { slug: 'not-yet', title: 'Not yet' })
    assert.equal(await restore(added), '“Not yet” restored to Pages. Publish to show the item on the site.')
    assert.deepEqual(deleted, ['“Page 4” deleted. Publish to remove it from the site.', '“Not yet” deleted.'])
  })

  await t.test('the coverage finds places in the whole tree by their names', async () => {
    const found = await site.open('/admin/coverage?q=ÁUST')
    const [, ...rows] = found.part('table').getAllByRole('row')
    assert.equal(rows.length, 1)
    assert.equal(found.getByRole('rowheader').textContent?.replace(/\s+/g, ' ').trim(), 'Austin Texas')
    found.getByRole('link', { name: /^AC repair in Austin: / })
    assert.equal(found.valueOf('Find a place'), 'ÁUST')
    const all = await site.open('/admin/coverage?q=a')
    const branch = all.getByRole('link', { name: 'Texas' })
    assert.equal(branch.getAttribute('href'), '/admin/coverage?branch=texas')
    all.getByRole('link', { name: /^AC repair in Texas: / })
    ;(await site.open('/admin/coverage?q=nowhere')).getByText('No places match “nowhere”.')
  })

  await t.test('a branch is offered from the coverage after a preview of the plan', async () => {
    const { id } = await entryOf(site, 'services', 'ac-repair')
    const path = `/admin/coverage/offers?change=add&reach=branch&place=texas&service=${id}`
    const question = await site.open(path)
    question.getByRole('heading', { level: 1, name: 'Offer AC repair in all of Texas?' })
    assert.equal(question.fact('New pages').words, '1')
    assert.equal(question.fact('Removed pages').words, '0')
    const response = await site.post(path)
    assert.equal(response.headers.get('location'), '/admin/coverage?branch=texas')
    await entryOf(site, 'location_services', 'ac-repair/texas')
  })

  await t.test('a place’s phone must be dialable; an earlier stored one stays', async () => {
    const { id, data } = await entryOf(site, 'location_services', 'ac-repair/austin')
    const fields = { service_entry_id: String(data.service_entry_id), location_term_id: 'austin' }
    const save = (phone: string) =>
      site.post(`/admin/entries/location_services/${id}`, {
        ...fields,
        ...{ title: 'Cool', status: 'published', phone },
      })
    const refused = await save('(512) 555-0142 / 555-0143')
    const mistake = 'Enter one valid phone number, such as +1 201 555 0123.'
    assert.equal((await readAnswer(refused, 422)).mistakeOf('Phone'), mistake)
    const stored = JSON.stringify({ ...data, phone: '555-0143' })
    await site.app.db.updateTable('content_entries').set({ data_json: stored }).where('id', '=', id).execute()
    const editor = await site.open(`/admin/entries/location_services/${id}`)
    editor.getByText(/can’t be dialed, so it has no link/)
    assert.equal((await save('555-0143')).status, 303)
    assert.equal((await save('(512) 555-0143')).status, 303)
    const reset = JSON.stringify(data)
    await site.app.db.updateTable('content_entries').set({ data_json: reset }).where('id', '=', id).execute()
  })

  await t.test('a draft can’t be reset to another page’s address', async () => {
    const { id, data } = await entryOf(site, 'location_services', 'ac-repair/austin')
    await site.post(`/admin/entries/location_services/${id}`, {
      ...{ service_entry_id: String(data.service_entry_id), location_term_id: 'austin' },
      ...{ title: 'Cool Austin', status: 'draft' },
    })
    const cases = { ...PROJECT, name: 'Cases', slug: 'cases', route_pattern: '/services/{service}/{slug}' }
    await site.post('/admin/content-types/new', cases)
    const other = { title: 'A case', slug: 'ac-repair/austin', status: 'published', year: '2026' }
    await site.post('/admin/entries/cases/new', other)
    await entryOf(site, 'cases', 'ac-repair/austin')
    ;(await site.open(`/admin/entries/location_services/${id}/reset`)).getByText(/pictures, .* redirects,/)
    const response = await site.post(`/admin/entries/location_services/${id}/reset`)
    assert.equal(response.headers.get('location'), `/admin/entries/location_services/${id}`)
    assert.match(messageOf(response), /^Nothing was changed\. .*“A case/)
    assert.equal((await entryOf(site, 'location_services', 'ac-repair/austin')).title, 'Cool Austin')
    await site.post('/admin/content-types/cases/removal')
    assert.equal((await site.post(`/admin/entries/location_services/${id}/reset`)).status, 303)
    assert.equal((await entryOf(site, 'location_services', 'ac-repair/austin')).status, 'published')
  })

  await t.test('§2.9 a custom type gets entries with its fields, and pages', async () => {
    const wrong = await site.post('/admin/content-types/new', { ...PROJECT, route_pattern: '/admin/{slug}' })
    const mistake = (await readAnswer(wrong, 422)).mistakeOf('URL pattern')
    assert.equal(mistake, 'Addresses under /admin are reserved for Signpost.')
    const added = await site.post('/admin/content-types/new', PROJECT)
    assert.equal(added.headers.get('location'), '/admin/content-types/projects')
    const entry = { title: 'School roof', slug: 'school-roof', status: 'published' }
    const missing = await site.post('/admin/entries/projects/new', entry)
    assert.ok((await readAnswer(missing, 422)).mistakeOf('Year')?.startsWith('Year is missing.'))
    const steps = { 'steps.0.title': 'Plan', 'steps.1.title': 'Build', 'steps.1.text': 'Slates' }
    await site.post('/admin/entries/projects/new', { ...entry, year: '2026', ...steps })
    assert.deepEqual((await entryOf(site, 'projects', 'school-roof')).data, {
      year: 2026,
      steps: [{ title: 'Plan' }, { title: 'Build', text: 'Slates' }],
    })
    const preview = await site.post('/admin/entries/projects/preview', { ...entry, year: '2026' })
    ;(await readAnswer(preview)).getByRole('heading', { level: 1, name: 'School roof' })
    const form = '/admin/content-types/projects'
    const older = basedOn(await site.open(form))
    const described = { ...PROJECT, based_on: older, description: 'Finished work' }
    assert.equal((await site.post(form, described)).status, 303)
    const stale = { ...PROJECT, based_on: older, name: 'Typed' }
    const outdated = await readAnswer(await site.post(form, stale), 409)
    const why = 'Someone else saved the content type after you opened this page.'
    assert.ok(outdated.part('alert').words.startsWith(why))
    assert.equal(outdated.valueOf('Name'), 'Typed')
    assert.equal(basedOn(outdated), basedOn(await site.open(form)))
    const narrowed = { ...PROJECT, route_pattern: '/projects/{year}/{slug}' }
    const refused = await site.post('/admin/content-types/projects', narrowed)
    const mistaken = (await readAnswer(refused, 422)).mistakeOf('URL pattern')
    assert.ok(mistaken?.startsWith('Existing entries (1) have slugs with 1 part,'))
    await site.post('/admin/content-types/projects/removal')
    assert.equal(await findContentType(site.app.db, 'projects'), undefined)
  })

  await t.test(
    'pages missing from search are listed with what would raise them, and lead to the editor',
    async () => {
      const { id } = await entryOf(site, 'location_services', 'ac-repair/austin')
      const missing = (await site.open('/admin/coverage/quality')).part('table')
      const row = missing.part('row', { name: /^AC repair in Austin / })
      const editor = row.getByRole('link', { name: 'AC repair in Austin' })
      assert.equal(editor.getAttribute('href'), `/admin/entries/location_services/${id}`)
      row.getByRole('cell', { name: /^0 words unique to this place,/ })
      const [raise] = row.getAllByRole('listitem')
      assert.equal(raise && wordsOf(raise), 'Write 80 more words unique to this place up to +60 points')
      const list = (await site.open('/admin/coverage')).getByRole('link', { name: 'Missing from search' })
      assert.equal(list.getAttribute('href'), '/admin/coverage/quality')
      const dashboard = await site.open('/admin')
      const panel = dashboard.part('region', { name: '0 of 1 local page can appear in search' })
      const link = panel.getByRole('link', { name: 'Show the page missing from search' })
      assert.equal(link.getAttribute('href'), '/admin/coverage/quality')
      const [first, second] = dashboard.getAllByRole('heading', { level: 2 }).map(wordsOf)
      assert.deepEqual([first, second], ['0 of 1 local page can appear in search', 'Leads per day'])
      const { score } = await site.app.db.selectFrom('page_quality').select('score').executeTakeFirstOrThrow()
      ;(await site.open(`/admin/coverage/quality?after=${score}~${id}`)).getByText(/^No more pages/)
    },
  )

  await t.test('built-in types can’t be changed', async () => {
    const before = await findContentType(site.app.db, 'services')
    assert.equal((await site.post('/admin/content-types/services', PROJECT)).status, 404)
    assert.equal((await site.post('/admin/content-types/services/removal')).status, 404)
    assert.deepEqual(await findContentType(site.app.db, 'services'), before)
  })
})

test('local pages are found by the words of their service and place', async (t) => {
  const site = await startAdmin(t)
  const find = (words: string) => site.open(`/admin/entries/location_services?q=${encodeURIComponent(words)}`)
  for (const words of [
    'AC repair in Austin',
    'austin repair',
    'AC REPAIR, Austin',
    'ac-repair/austin',
    'ac in aus',
  ])
    (await find(words)).getByRole('link', { name: 'AC repair in Austin' })
  const other = await find('AC repair in Nowhere')
  assert.equal(other.queryByRole('link', { name: 'AC repair in Austin' }), null)
})

test('a service’s editor has its pictures after its text, and then its places', async (t) => {
  const site = await startAdmin(t)
  const { id } = await entryOf(site, 'services', 'ac-repair')
  const page = await site.open(`/admin/entries/services/${id}`)
  const names = [
    'body',
    'hero',
    'picture',
    'picture_alt',
    'gallery',
    'before_picture',
    'offered_in',
    'summary',
  ]
  const all = [...page.element.querySelectorAll('[name]')].map((field) => field.getAttribute('name') ?? '')
  assert.deepEqual(
    all.filter((name) => names.includes(name)),
    names,
  )
})

test('the menu of a service’s editor leads to its places and pictures', async (t) => {
  const site = await startAdmin(t)
  const { id } = await entryOf(site, 'services', 'ac-repair')
  const menu = (await site.open(`/admin/entries/services/${id}`)).part('navigation', {
    name: 'Sections of this page',
  })
  assert.equal(menu.getByRole('link', { name: 'Offered in' }).getAttribute('href'), '#part-offered_in')
  assert.equal(menu.getByRole('link', { name: 'Pictures' }).getAttribute('href'), '#pictures')
})

test('a service without its own form has the default one, a page none', async (t) => {
  const site = await startAdmin(t)
  const firstChoice = async (type: string) => {
    const form = (await site.open(`/admin/entries/${type}/new`)).getByRole('combobox', { name: /^Form/ })
    return within(form).getAllByRole('option')[0]?.textContent
  }
  assert.equal(await firstChoice('services'), 'Default')
  assert.equal(await firstChoice('pages'), 'None')
})

test('the address of an entry shows the placeholders of its type', async (t) => {
  const site = await startAdmin(t)
  await addProjects(site.app.db)
  const page = await site.open('/admin/entries/projects/new')
  page.getByText('One part for each placeholder in /projects/{year}/{project}, separated by slashes.')
})

test('a draft of a page that was never published doesn’t claim a live version', async (t) => {
  const site = await startAdmin(t)
  const id = await addEntry(site.app.db, 'pages', { slug: 'sale', title: 'Sale' })
  const path = `/admin/entries/pages/${id}`
  const based_on = basedOn(await site.open(path))
  const fields = { title: 'Big sale', slug: 'sale', status: 'published', based_on }
  const saved = await site.post(path, { ...fields, act: 'draft' })
  assert.equal(messageOf(saved), 'Draft of “Sale” saved. Visitors can’t see drafts.')
  ;(await site.open(path)).getByText('This is a draft. Visitors can’t see drafts.')
})
