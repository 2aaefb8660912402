import assert from 'node:assert/strict'
import { test } from 'node:test'
import { within } from '@testing-library/dom'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { ADMINISTRATOR, type AdminSite, startAdmin } from '../../support/admin.ts'
import { storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { type Page, readAnswer, readPage, wordsOf } from '../../support/pages/read-page.ts'
import { newestChanges } from '../../support/pages/told.ts'
import { addPerson } from '../../support/people.ts'
import { waitFor } from '../../support/running-site.ts'
import { addPlaces } from '../../support/small-site.ts'
import { printFigure } from '../../support/soak.ts'
import { aPost, PNG } from '../../support/uploads.ts'

const MARKUP = `"><img src=x onerror=alert(1)><script>alert(2)</script>`

async function send(site: AdminSite, answers: object, slug = 'waitlist') {
  const response = await fetch(`${site.url}/api/forms/${slug}/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answers),
  })
  const body = await response.json()
  assert.equal(response.status, 201, JSON.stringify(body))
  return body.id as number
}

/** The list that a search leads to. */
async function search(site: AdminSite, fields: Record<string, string>): Promise<Page> {
  return site.open(await searchAddress(site, fields))
}

/** Who sent the submissions of a list, in its order. */
function sendersOf(page: Page): string[] {
  const boxes = page.queryAllByRole('checkbox', { name: /^Select the lead from / })
  return boxes.map((box) => String(box.getAttribute('aria-label')).replace('Select the lead from ', ''))
}

/** The address of the list, as the form of the inbox leads to it. */
async function searchAddress(site: AdminSite, fields: Record<string, string>): Promise<string> {
  const posted = await site.post('/admin/inbox', fields)
  assert.equal(posted.status, 303)
  return String(posted.headers.get('location'))
}

const ANN = { full_name: 'Ann Archer', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'owner' }

test('a submission is found, read, annotated, sorted, and deleted', async (t) => {
  const site = await startAdmin(t)
  /** Two of their own for each part, and the list of the inbox as an address finds it. */
  const two = async (name: string) => [
    await send(site, { ...ANN, full_name: `Ann ${name}`, bottleneck: `A ${name} in the kitchen` }),
    await send(site, { ...ANN, full_name: `Bob ${name}`, email: 'bob@example.com' }),
  ]
  const listed = async (name: string, address = '/admin/inbox') =>
    sendersOf(await site.open(address)).filter((sender) => sender.endsWith(name))
  const sort = (sorting: string, ids: (number | undefined)[]) =>
    site.post('/admin/inbox/sorting', { sorting, ids: ids.map(String), next: '/admin/inbox' })

  await t.test('a search finds it by words, form, and day', async () => {
    await two('leak')
    const [row] = (await site.open('/admin/inbox')).getAllByText('A leak in the kitchen')
    assert.ok(row && wordsOf(row.closest('li') as Element).includes('Ann leak'))
    const found = await search(site, { q: 'kitchen leak', form: 'waitlist', from: '2026-01-01' })
    assert.deepEqual(sendersOf(found), ['Ann leak'])
    ;(await search(site, { q: 'nothing like it' })).getByText('No leads found')
  })

  await t.test('it is new until someone opens it', async () => {
    const [ann] = await two('valve')
    const unread = '/admin/inbox?status=new'
    assert.deepEqual(await listed('valve', unread), ['Bob valve', 'Ann valve'])
    const page = await site.open(`/admin/inbox/${ann}`)
    assert.equal(page.fact('Full name').words, 'Ann valve')
    for (const [name, href] of [
      ['ann@example.com', 'mailto:ann@example.com'],
      ['+1 512 555 0100', 'tel:+15125550100'],
    ] as const)
      assert.equal(page.getByRole('link', { name }).getAttribute('href'), href)
    assert.deepEqual(await listed('valve', unread), ['Bob valve'])
  })

  await t.test('a note says who wrote it, is found, and is removed', async () => {
    const [ann] = await two('boiler')
    const path = `/admin/inbox/${ann}`
    assert.equal((await site.post(`${path}/notes`, { body: 'Called back' })).status, 303)
    assert.deepEqual(await newestChanges(site), [`Added a note to lead ${ann}`])
    const note = (await site.open(path)).getByText('Called back').closest('li')
    assert.ok(note)
    assert.match(wordsOf(note), /^Called backAnn Example(?!,)/)
    ;(await search(site, { q: 'called back', location: 'Austin' })).getByText('No leads found')
    assert.deepEqual(sendersOf(await search(site, { q: 'called back' })), ['Ann boiler'])
    const removal = note.querySelector('form')?.getAttribute('action')
    await site.post(String(removal))
    assert.equal((await site.open(path)).queryAllByText('Called back').length, 0)
    ;(await search(site, { q: 'called back' })).getByText('No leads found')
  })

  await t.test('only this lead is archived, restored, and marked as spam', async () => {
    const [ann, bob] = await two('drain')
    assert.equal((await sort('archive', [ann, bob])).status, 303)
    assert.deepEqual(await newestChanges(site), ['2 leads archived.'])
    assert.deepEqual(await listed('drain'), [])
    await sort('restore', [ann])
    assert.deepEqual(await listed('drain'), ['Ann drain'])
    await sort('spam', [bob])
    assert.deepEqual(await newestChanges(site), ['1 lead marked as spam. Pending deliveries were canceled.'])
    const spam = await site.open('/admin/inbox?status=spam')
    assert.deepEqual(sendersOf(spam), ['Bob drain'])
    spam.getByText(/^Marked as spam manually · /)
  })

  await t.test('an action without a selected lead returns to the same list', async () => {
    for (const [path, fields] of [
      ['/admin/inbox/sorting', { sorting: 'read' }],
      ['/admin/inbox/progress', { progress: 'stage:won' }],
      ['/admin/inbox/removal', {}],
    ] as const)
      for (const [next, location] of [
        ['/admin/inbox?form=waitlist&status=read', '/admin/inbox?form=waitlist&status=read'],
        ['//evil.example/admin', '/admin'],
      ] as const) {
        const refused = await site.post(path, { ...fields, next })
        assert.deepEqual([refused.status, refused.headers.get('location')], [303, location], path)
      }
  })

  await t.test('sorting and deleting redirect only within this site', async () => {
    const [, bob] = await two('sink')
    for (const [next, location] of [
      ['/admin/inbox?status=spam', '/admin/inbox?status=spam'],
      ['https://evil.example/admin', '/admin'],
      ['//evil.example/admin', '/admin'],
    ] as const) {
      const fields = { ids: [String(bob)], next }
      const sorted = await site.post('/admin/inbox/sorting', { ...fields, sorting: 'spam' })
      assert.deepEqual([sorted.status, sorted.headers.get('location')], [303, location])
      const removed = await site.post('/admin/inbox/removal', { ...fields, ids: ['999'], confirmed: 'yes' })
      assert.deepEqual([removed.status, removed.headers.get('location')], [303, location])
    }
  })

  await t.test('it is deleted after a confirmation', async () => {
    const [ann] = await two('pipe')
    const fields = { ids: [String(ann)], next: '/admin/inbox' }
    const question = readPage(await (await site.post('/admin/inbox/removal', fields)).text())
    question.getByRole('heading', { name: 'Delete 1 lead?' })
    question.getByText(/Ann pipe/)
    assert.deepEqual(await listed('pipe'), ['Bob pipe', 'Ann pipe'])
    await site.post('/admin/inbox/removal', { ...fields, confirmed: 'yes' })
    assert.deepEqual(await newestChanges(site), ['1 lead deleted.'])
    assert.equal((await site.fetch(`/admin/inbox/${ann}`)).status, 404)
    assert.deepEqual(await listed('pipe'), ['Bob pipe'])
  })

  await t.test('an empty inbox says so', async () => {
    const rows = await site.app.db.selectFrom('form_submissions').select('id').execute()
    await sort(
      'archive',
      rows.map(({ id }) => id),
    )
    ;(await site.open('/admin/inbox')).getByText('You’re all caught up')
  })
})

test('a row has the option labels of its time, the stage, the assignee, and the current place', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const needs = (label: string) => ({
    name: 'Quote',
    fields: [
      { name: 'full_name', label: 'Full name', type: 'text' as const },
      {
        name: 'need',
        label: 'Need',
        type: 'select' as const,
        options: [`${label}/furnace-repair`, 'A new one/new'],
      },
    ],
  })
  await storeForm(db, 'quote', needs('Furnace repair'))
  const older = await send(site, { full_name: 'Ann', need: 'furnace-repair' }, 'quote')
  await storeForm(db, 'quote', needs('Repair of a furnace'))
  const newer = await send(site, { full_name: 'Bob', need: 'furnace-repair' }, 'quote')
  // The server keeps the form that it read for a moment.
  await db.updateTable('form_submissions').set({ form_version: 2 }).where('id', '=', newer).execute()
  await send(site, ANN)
  const ennis = (await addPlaces(db, 'ennis')).get('ennis') as number
  const office = await addPerson(site, 'office', { places: [ennis] })
  const manager = await addPerson(site, 'manager')
  await db.updateTable('form_submissions').set({ location_id: ennis, location_name: 'Before' }).execute()
  await site.post(`/admin/inbox/${older}/progress`, { stage: 'quoted', assignee: String(manager.id) })
  const rowsOf = (page: Page) =>
    Object.fromEntries(
      sendersOf(page).map((name) => [name, wordsOf(page.getByText(name).closest('li') as Element)]),
    )
  const found = await searchAddress(site, { q: 'ann', location: 'Ennis' })
  // The first search brings the index up to date.
  await site.fetch(found)
  for (const path of ['/admin/inbox', found]) {
    const rows = rowsOf(await site.open(path))
    assert.match(String(rows.Ann), new RegExp(`Furnace repairQuotedAssigned to ${manager.email}EnnisQuote`))
    assert.doesNotMatch(String(rows.Ann), /Before|furnace-repair/)
  }
  const all = rowsOf(await site.open('/admin/inbox'))
  assert.match(String(all.Bob), /Repair of a furnaceEnnisQuote/)
  assert.doesNotMatch(String(all.Bob), /Assigned to/)
  const limited = rowsOf(await readAnswer(await office.fetch('/admin/inbox')))
  assert.match(String(limited.Ann), /Assigned to Another user/)
  const cost = await site.countQueries(() => office.fetch('/admin/inbox'))
  assert.ok(cost <= 14, `a user with limits: ${cost} queries`)
})

test('ASVS 14.2.1: no inbox page puts search words into a URL', async (t) => {
  const site = await startAdmin(t)
  const ann = await send(site, ANN)
  await send(site, { ...ANN, full_name: 'Bob', email: 'bob@example.com' })
  const address = await searchAddress(site, { q: ' Archer ', form: 'waitlist', status: 'all' })
  const html = await site.read(address)
  const page = readPage(html)
  assert.deepEqual(sendersOf(page), ['Ann Archer'])
  assert.equal((page.getByRole('searchbox') as HTMLInputElement).value, 'Archer')
  const inAddresses = [...html.matchAll(/(?:href|action)="([^"]*)"|name="next" value="([^"]*)"/g)].flat()
  assert.deepEqual(
    [address, ...inAddresses].filter((one) => /archer/i.test(one ?? '')),
    [],
  )
  const exported = page.getByRole('link', { name: 'JSON' }).getAttribute('href')
  assert.deepEqual(
    (await (await site.fetch(String(exported))).json()).map(({ id }: { id: number }) => id),
    [ann],
  )
  const lead = await site.open(`/admin/inbox/${ann}?from=${encodeURIComponent(address)}`)
  assert.equal(lead.getByRole('link', { name: 'Inbox' }).getAttribute('href'), address)

  const byHand = await site.fetch('/admin/inbox?status=all&q=Archer&page=older~2999-01-01T00:00:00.000Z~99')
  assert.equal(byHand.status, 303)
  assert.match(
    String(byHand.headers.get('location')),
    /^\/admin\/inbox\?status=all&words=v1\.[\w-]+&page=older%7E2999-01-01T00%3A00%3A00\.000Z%7E99$/,
  )
  assert.equal(await searchAddress(site, { q: ' ', status: 'new' }), '/admin/inbox?status=new')
})

test('a search link that no key decrypts shows and exports nothing', async (t) => {
  const site = await startAdmin(t)
  await send(site, ANN)
  for (const path of ['/admin/inbox', '/admin/inbox/export.csv', '/admin/inbox/export.json']) {
    const response = await site.fetch(`${path}?status=all&words=v1.AAAA`)
    assert.equal(response.status, 303, path)
    assert.equal(response.headers.get('location'), '/admin/inbox?status=all')
    assert.match(decodeURIComponent(response.headers.getSetCookie().join()), /search link no longer works/)
  }
})

test('a post’s page is a link only if it is on this site', async (t) => {
  const site = await startAdmin(t)
  const [id, refused] = [
    await send(site, { ...ANN, _page: '/services' }),
    await send(site, { ...ANN, _page: '//evil.example/admin/login' }),
  ]
  const pageOf = async (id: number) => site.open(`/admin/inbox/${id}`)
  assert.equal((await pageOf(id)).getByRole('link', { name: '/services' }).getAttribute('href'), '/services')
  assert.equal((await pageOf(refused)).queryAllByText(/evil\.example/).length, 0)
  const stored = { page_path: '//evil.example/admin/login' }
  await site.app.db.updateTable('form_submissions').set(stored).where('id', '=', id).execute()
  const page = await pageOf(id)
  assert.equal(page.getByText(/evil\.example/).closest('a'), null)
  const links = page.whole.getAllByRole('link').map((link) => String(link.getAttribute('href')))
  assert.deepEqual(
    links.filter((href) => href.includes('evil.example')),
    [],
  )
})

test('§2.5 a submission shows which webhooks fired, which didn’t, and by which rule', async (t) => {
  const site = await startAdmin(t, {
    prepare: async ({ db }) => {
      await storeWebhook(db, 1, { url: 'https://127.0.0.1:9/' })
      await storeWebhook(db, 1, { url: 'https://127.0.0.1:9/', fireOn: { role: 'agency' } })
    },
  })
  const id = await send(site, ANN)
  // With names to look up, the page needs the most queries.
  await site.app.db.updateTable('form_submissions').set({ location_id: 1, service_id: 1 }).execute()
  const sentOn = (await site.open(`/admin/inbox/${id}`)).part('region', { name: 'Deliveries' })
  const skipped = sentOn.getByText('skipped').closest('li') as HTMLElement
  const folded = within(sentOn.getByText('Not sent to 1 webhook').parentElement as HTMLElement)
  assert.equal((folded.getByText('skipped').closest('details') as HTMLDetailsElement).open, false)
  assert.equal(folded.getAllByRole('link', { name: /^Delivery #/ }).length, 1, 'what was sent is not folded')
  const trace = wordsOf(within(skipped).getByText('✗ Not met').parentElement as Element)
  assert.equal(trace.replaceAll(' ', ''), '✗Notmet“Role”is“agency”roleeq"agency"Valueinthelead:"owner"')
  const links = sentOn.getAllByRole('link', { name: /^Delivery #/ })
  assert.deepEqual(links.map((link) => link.getAttribute('href')).sort(), [
    '/admin/deliveries/1',
    '/admin/deliveries/2',
  ])
})

test('§2.1 a submission shows its email recipients, the mail server’s response, and the next retry', async (t) => {
  const mailServer = await startMailServer(t, { refusals: [{ code: 451 }] })
  const site = await startAdmin(t, {
    environment: { SMTP_URL: mailServer.url, MAIL_FROM: 'forms@example.com', WEBHOOK_RETRY_SCHEDULE: '1h' },
    prepare: ({ db }) => storeForm(db, 'quote', { settings: { notification_email: 'leads@example.com' } }),
  })
  const id = await send(site, { answer: 'Please call' }, 'quote')
  const mailLog = async () => (await site.open(`/admin/inbox/${id}`)).part('region', { name: 'Emails' })
  const { db, mailWorker } = site.app
  await waitFor(async () => (await db.selectFrom('mail_attempts').select('id').execute()).length === 1)
  const pending = await mailLog()
  for (const text of [
    /leads@example\.com$/,
    'pending',
    /^Next attempt/,
    'Attempt 1',
    'failed',
    /refused with 451/,
  ])
    pending.getByText(text)
  assert.equal(pending.queryAllByText('Attempt 2').length, 0)
  await db.updateTable('notification_mails').set({ next_attempt_at: new Date().toISOString() }).execute()
  mailWorker?.wake()
  await waitFor(async () => (await db.selectFrom('mail_attempts').select('id').execute()).length === 2)
  const sent = await mailLog()
  for (const text of ['Attempt 1', 'failed', /refused with 451/, 'Attempt 2', /^250 [A-Z]/])
    sent.getByText(text)
  assert.equal(sent.getAllByText('sent').length, 2, 'the mail and its attempt')
  assert.equal(sent.queryAllByText('pending').length, 0)
})

test('§2.4 legacy submissions look the same and have their original labels', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const legacy = {
    form_id: 1,
    full_name: 'Lee Gacy',
    email: 'lee@example.com',
    submitted_at: '2020-01-01T10:00:00.000Z',
  }
  const { id } = await db
    .insertInto('form_submissions')
    .values(legacy)
    .returning('id')
    .executeTakeFirstOrThrow()
  const page = await site.open(`/admin/inbox/${id}`)
  assert.equal(page.fact('Full name').words, 'Lee Gacy')
  assert.equal(page.fact('Email').words, 'lee@example.com')
  assert.deepEqual(sendersOf(await search(site, { q: 'gacy' })), ['Lee Gacy'])
})

test('visitors’ text never becomes markup, and files are only downloaded', async (t) => {
  const site = await startAdmin(t, {
    prepare: async ({ db }) => {
      await storeForm(db, 'job', {
        name: 'Job <b>x</b>',
        fields: [
          { name: 'note', label: MARKUP, type: 'textarea' },
          { name: 'photo', label: 'Photo', type: 'file' },
        ],
      })
    },
  })
  const posted = await fetch(`${site.url}/api/forms/job/submissions`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: aPost({ note: MARKUP, photo: [PNG, `<img src=x>'"é.png`, 'image/png'] }),
  })
  assert.equal(posted.status, 201)
  const { id } = await posted.json()
  await site.post(`/admin/inbox/${id}/notes`, { body: MARKUP })
  for (const path of [
    '/admin/inbox',
    `/admin/inbox/${id}`,
    await searchAddress(site, { q: MARKUP, location: MARKUP }),
  ]) {
    const html = await site.read(path)
    // Inside a tag's quotes they are an attribute's text.
    const tags = html.match(/<[a-z][\w-]*(?:"[^"]*"|[^">])*>/gi) ?? []
    assert.deepEqual(
      tags.filter((tag) => /^<(img src=x|script>|b>)/.test(tag)),
      [],
      path,
    )
  }
  const photo = (await site.open(`/admin/inbox/${id}`)).fact('Photo')
  const file = String(photo.getByRole('link').getAttribute('href'))
  const saved = await site.fetch(file)
  assert.equal(saved.status, 200)
  assert.equal(saved.headers.get('content-type'), 'application/octet-stream')
  assert.match(
    String(saved.headers.get('content-disposition')),
    /^attachment; filename\*=UTF-8''%3Cimg%20src%3Dx%3E%27%2522%C3%A9\.png$/,
  )
  assert.match(String(saved.headers.get('content-security-policy')), /^sandbox/)
  assert.equal(saved.headers.get('x-content-type-options'), 'nosniff')
  assert.deepEqual(Buffer.from(await saved.arrayBuffer()), PNG)
  const [downloaded] = await listAuditEntries(site.app.db, { limit: 1 })
  const { userId, subjectId, summary } = downloaded ?? assert.fail('The audit log is empty')
  assert.deepEqual(
    { userId, subjectId, summary },
    { userId: site.administratorId, subjectId: String(id), summary: 'Downloaded file 1 from a lead' },
  )
  assert.equal((await site.fetch(file, { method: 'HEAD' })).status, 200)
  assert.equal((await site.fetch(file.replace(`/${id}/`, `/${id + 1}/`))).status, 404)
  assert.equal((await listAuditEntries(site.app.db, { limit: 1 }))[0]?.id, downloaded?.id)
  assert.equal((await fetch(site.url + file, { redirect: 'manual' })).status, 303)
  printFigure(t, '0 tags of a visitor on 3 pages, the file saved as octet-stream')
})

test('a lead of a visitor who opted out of tracking says so instead of its source', async (t) => {
  const site = await startAdmin(t)
  const answer = await fetch(`${site.url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-gpc': '1' },
    body: JSON.stringify({ ...ANN, _source: '{"last":{"utm_source":"van"}}', _page: '/about' }),
  })
  const { id } = (await answer.json()) as { id: number }
  const source = (await site.open(`/admin/inbox/${id}`)).part('region', { name: 'Lead source' })
  source.getByText('Not recorded. The visitor’s browser asks not to be tracked.')
})

test('direction marks stay in what is stored, and out of what people read', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const marked = (text: string) => `\u202e${text}\u2066`
  const id = await send(site, { ...ANN, full_name: marked('Ann') })
  const touch = { at: '2026-11-20T10:00:00.000Z', landing_page: marked('/a'), utm_campaign: marked('spring') }
  const last = { ...touch, utm_source: marked('fall'), utm_term: marked('leak') }
  const source = { first: touch, last, pages: [marked('/a'), marked('/b')] }
  const stored = { source: `campaign:${marked('fall')}`, source_json: JSON.stringify(source) }
  await db.updateTable('form_submissions').set(stored).where('id', '=', id).execute()
  await site.post('/admin/inbox/filters/new?status=new', { name: marked('Mine') })
  const shown = (await site.open(`/admin/inbox/${id}`)).part('region', { name: 'Lead source' })
  for (const text of [/^Tagged link: fall, campaign spring, landed on \/a$/, 'leak', '/b'])
    shown.getByText(text)
  assert.deepEqual(sendersOf(await site.open('/admin/inbox')), ['Ann'])
  assert.deepEqual(await newestChanges(site), ['Saved the inbox filter “Mine”'])
  const { summary } = await db
    .selectFrom('audit_log')
    .select('summary')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal(summary, `Saved the inbox filter “${marked('Mine')}”`)
  const exported = await (await site.fetch('/admin/inbox/export.json')).text()
  assert.ok(exported.includes(marked('Ann')))
})

test('the filtered list is exported as formula-safe CSV and as JSON, after the password', async (t) => {
  const site = await startAdmin(t)
  await send(site, { ...ANN, full_name: '=HYPERLINK("http://evil")', role: 'a, "b"' })
  await send(site, { ...ANN, full_name: 'Bob', bottleneck: '＝cmd' })
  const csv = await site.fetch('/admin/inbox/export.csv')
  assert.match(
    String(csv.headers.get('content-disposition')),
    /^attachment; filename="submissions-[\d-]+\.csv"$/,
  )
  const lines = (await csv.text()).split('\r\n')
  assert.match(
    String(lines[0]),
    /^id,submitted_at,form,form_version,status,page,service,location,local_time,Full name,/,
  )
  assert.match(String(lines[1]), /,waitlist,1,new,.*Bob.*,'＝cmd,{26}New,,,,$/)
  assert.match(
    String(lines[2]),
    /,"'=HYPERLINK\(""http:\/\/evil""\)",ann@example\.com,'\+1 512 555 0100,"a, ""b"""/,
  )

  const inEurope = (await search(site, { q: 'bob' })).getByRole('link', { name: 'CSV with semicolons' })
  const semicolons = await (await site.fetch(String(inEurope.getAttribute('href')))).text()
  assert.match(semicolons, /^\ufeff?id;[^\n]*\n[^\n]*;Bob;[^\n]*\n$/)

  const json = await (await site.fetch('/admin/inbox/export.json?q=bob')).json()
  assert.deepEqual(
    json.map(({ answers }: { answers: { full_name: string } }) => answers.full_name),
    ['Bob'],
  )
  assert.deepEqual(await (await site.fetch('/admin/inbox/export.json?q=nobody')).json(), [])

  const old = new Date(Date.now() - 16 * 60_000).toISOString()
  await site.app.db.updateTable('admin_sessions').set({ password_checked_at: old }).execute()
  const asked = await site.fetch('/admin/inbox/export.csv?status=new')
  assert.equal(
    asked.headers.get('location'),
    '/admin/password-check?next=%2Fadmin%2Finbox%2Fexport.csv%3Fstatus%3Dnew',
  )
  // A file leaves the page where it is, which still asked for the password.
  const address = String(asked.headers.get('location'))
  const right = await site.post(address, { password: ADMINISTRATOR.password })
  assert.equal(right.headers.get('location'), address)
  const told = await site.fetch(address)
  assert.equal(told.headers.get('refresh'), '0; url=/admin/inbox/export.csv?status=new')
  const onItsWay = readPage(await told.text())
  onItsWay.getByText(/Your export is downloading/)
  const links = onItsWay.getAllByRole('link').map((link) => link.getAttribute('href'))
  assert.ok(links.includes('/admin/inbox?status=new'), links.join())
})

test('a lead has the same name in the list, on its page, and before it is deleted', async (t) => {
  const site = await startAdmin(t)
  await storeForm(site.app.db, 'visit', {
    fields: [
      { name: 'campaign', type: 'hidden', label: 'Campaign', default_value: 'spring' },
      { name: 'day', type: 'date', label: 'Day' },
    ],
  })
  const id = await send(site, { campaign: 'spring', day: '2026-12-10' }, 'visit')
  assert.deepEqual(sendersOf(await site.open('/admin/inbox')), ['Thu, Dec 10, 2026'])
  ;(await site.open(`/admin/inbox/${id}`)).getByRole('heading', { level: 1, name: 'Thu, Dec 10, 2026' })
  const asked = await readAnswer(await site.post('/admin/inbox/removal', { 'ids[]': String(id) }))
  asked.getByText('Thu, Dec 10, 2026')
})

test('a phone answer is shown as sent, with an E.164 link or none', async (t) => {
  const site = await startAdmin(t)
  const irish = await send(site, { ...ANN, phone: '+353 (0)61 555 0142' })
  const local = await send(site, { ...ANN, phone: '(512) 555-0142' })
  const short = await send(site, { ...ANN, phone: '555-0142' })
  const phoneOf = async (id: number) => (await site.open(`/admin/inbox/${id}`)).fact('Phone')
  const linkOf = async (id: number) => (await phoneOf(id)).queryByRole('link')?.getAttribute('href')
  assert.deepEqual([await linkOf(irish), await linkOf(local)], ['tel:+353615550142', 'tel:+15125550142'])
  assert.equal((await phoneOf(irish)).words, '+353 (0)61 555 0142')
  assert.deepEqual([(await phoneOf(short)).words, await linkOf(short)], ['555-0142', undefined])
})

test('a refused phone answer shows an example from the site’s country', async (t) => {
  const site = await startAdmin(t, {
    prepare: ({ db }) =>
      saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, country: 'IE' }, { now: new Date().toISOString() }),
  })
  const body = JSON.stringify({ ...ANN, phone: 'later' })
  const headers = { 'content-type': 'application/json' }
  const refused = await fetch(`${site.url}/api/forms/waitlist/submissions`, { method: 'POST', headers, body })
  assert.equal(refused.status, 422)
  assert.match(JSON.stringify(await refused.json()), /such as \+353 85 012 3456/)
})

test('a search in one tab leads to all leads, and no tab counts leads that it leaves out', async (t) => {
  const site = await startAdmin(t)
  const id = await send(site, { ...ANN, full_name: 'Zoe Archived' })
  await send(site, ANN)
  await site.post('/admin/inbox/sorting', { sorting: 'archive', ids: [`${id}`], next: '/admin/inbox' })
  const unread = (page: Page) => wordsOf(page.getByRole('link', { name: /^Unread/ }))
  assert.equal(unread(await site.open('/admin/inbox?form=waitlist')), 'Unread1')
  const found = await search(site, { q: 'Zoe' })
  assert.equal(unread(found), 'Unread')
  const all = found.getByRole('link', { name: 'Search all leads' }).getAttribute('href')
  assert.deepEqual(sendersOf(await site.open(String(all))), ['Zoe Archived'])
})
