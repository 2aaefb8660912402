import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SITE_SETTINGS } from '../../../src/site/site-settings.ts'
import { saveSiteSettings } from '../../../src/site/site-settings-store.ts'
import { ADMINISTRATOR, type AdminSite, startAdmin } from '../../support/admin.ts'
import { storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { waitFor } from '../../support/running-site.ts'
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
async function search(site: AdminSite, fields: Record<string, string>): Promise<string> {
  return site.read(await searchAddress(site, fields))
}

/** The address of the list, as the form of the inbox leads to it. */
async function searchAddress(site: AdminSite, fields: Record<string, string>): Promise<string> {
  const posted = await site.post('/admin/inbox', fields)
  assert.equal(posted.status, 303)
  return String(posted.headers.get('location'))
}

const ANN = { full_name: 'Ann Archer', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'owner' }

test('a submission is found, read, noted, sorted and deleted', async (t) => {
  const site = await startAdmin(t)
  const ann = await send(site, { ...ANN, bottleneck: 'A leak in the kitchen' })
  const bob = await send(site, { ...ANN, full_name: 'Bob', email: 'bob@example.com' })

  assert.match(await site.read('/admin/inbox'), /Ann Archer[\s\S]*A leak in the kitchen/)
  const found = await search(site, { q: 'leak', form: 'waitlist', from: '2026-01-01' })
  assert.ok(found.includes('Ann Archer') && !found.includes('Bob'))
  assert.match(await search(site, { q: 'nothing like it' }), /Nothing found/)
  assert.match(await site.read('/admin/inbox?status=new'), /Ann Archer/)

  const page = await site.read(`/admin/inbox/${ann}`)
  assert.match(page, /Full name[\s\S]*Ann Archer[\s\S]*mailto:ann@example\.com[\s\S]*tel:\+15125550100/)
  assert.doesNotMatch(await site.read('/admin/inbox?status=new'), /Ann Archer/)

  assert.equal((await site.post(`/admin/inbox/${ann}/notes`, { body: 'Called back' })).status, 303)
  assert.match(await site.read(`/admin/inbox/${ann}`), /Called back[\s\S]*ann@example\.com/)
  assert.match(await search(site, { q: 'called back', location: 'Austin' }), /Nothing found/)
  assert.match(await search(site, { q: 'called back' }), /Ann Archer/)
  const note = /action="(\/admin\/inbox\/\d+\/notes\/\d+\/removal)"/.exec(
    await site.read(`/admin/inbox/${ann}`),
  )?.[1]
  await site.post(String(note))
  assert.doesNotMatch(await site.read(`/admin/inbox/${ann}`), /Called back/)
  assert.match(await search(site, { q: 'called back' }), /Nothing found/)

  const sort = (sorting: string, ids: number[]) =>
    site.post('/admin/inbox/sorting', { sorting, ids: ids.map(String), next: '/admin/inbox' })
  assert.equal((await sort('archive', [ann, bob])).status, 303)
  assert.match(await site.read('/admin/inbox'), /Nothing is left to do/)
  await sort('restore', [ann])
  await sort('spam', [bob])
  assert.match(
    await site.read('/admin/inbox?status=spam'),
    /Marked as spam by hand[\s\S]*Bob|Bob[\s\S]*Marked as spam by hand/,
  )

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

  const question = await site.post('/admin/inbox/removal', { ids: [String(ann)], next: '/admin/inbox' })
  assert.match(await question.text(), /Delete 1 submission\?[\s\S]*Ann Archer/)
  assert.match(await site.read('/admin/inbox'), /Ann Archer/)
  await site.post('/admin/inbox/removal', { ids: [String(ann)], next: '/admin/inbox', confirmed: 'yes' })
  assert.equal((await site.fetch(`/admin/inbox/${ann}`)).status, 404)
  const log = await site.read('/admin/audit')
  for (const sentence of [
    '1 submission marked as spam',
    '2 submissions archived',
    'Deleted 1 submission',
    'Added a note',
  ]) {
    assert.ok(log.includes(sentence), sentence)
  }
})

test('ASVS 14.2.1: no page of the inbox puts the words of a search into an address', async (t) => {
  const site = await startAdmin(t)
  const ann = await send(site, ANN)
  await send(site, { ...ANN, full_name: 'Bob', email: 'bob@example.com' })
  const address = await searchAddress(site, { q: ' Archer ', form: 'waitlist', status: 'all' })
  const html = await site.read(address)
  assert.ok(html.includes('Ann Archer') && !html.includes('Bob'))
  assert.match(html, /name="q" value="Archer"/)
  const inAddresses = [...html.matchAll(/(?:href|action)="([^"]*)"|name="next" value="([^"]*)"/g)].flat()
  assert.deepEqual(
    [address, ...inAddresses].filter((one) => /archer/i.test(one ?? '')),
    [],
  )
  const exported = /href="([^"]+export\.json[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  assert.deepEqual(
    (await (await site.fetch(String(exported))).json()).map(({ id }: { id: number }) => id),
    [ann],
  )
  assert.match(await site.read(`/admin/inbox/${ann}?from=${encodeURIComponent(address)}`), /words=v1\./)

  const byHand = await site.fetch('/admin/inbox?status=all&q=Archer&page=older~2999-01-01T00:00:00.000Z~99')
  assert.equal(byHand.status, 303)
  assert.match(
    String(byHand.headers.get('location')),
    /^\/admin\/inbox\?status=all&words=v1\.[\w-]+&page=older%7E2999-01-01T00%3A00%3A00\.000Z%7E99$/,
  )
  assert.equal(await searchAddress(site, { q: ' ', status: 'new' }), '/admin/inbox?status=new')
})

test('a search link that no key opens shows and exports nothing of its own', async (t) => {
  const site = await startAdmin(t)
  await send(site, ANN)
  for (const path of ['/admin/inbox', '/admin/inbox/export.csv', '/admin/inbox/export.json']) {
    const response = await site.fetch(`${path}?status=all&words=v1.AAAA`)
    assert.equal(response.status, 303, path)
    assert.equal(response.headers.get('location'), '/admin/inbox?status=all')
    assert.match(decodeURIComponent(response.headers.getSetCookie().join()), /search link no longer works/)
  }
})

test('the page that a post named is a link on this site only', async (t) => {
  const site = await startAdmin(t)
  const [id, refused] = [
    await send(site, { ...ANN, _page: '/services' }),
    await send(site, { ...ANN, _page: '//evil.example/admin/login' }),
  ]
  assert.match(await site.read(`/admin/inbox/${id}`), /href="\/services"/)
  assert.doesNotMatch(await site.read(`/admin/inbox/${refused}`), /evil\.example/)
  const stored = { page_path: '//evil.example/admin/login' }
  await site.app.db.updateTable('form_submissions').set(stored).where('id', '=', id).execute()
  const html = await site.read(`/admin/inbox/${id}`)
  assert.match(html, /evil\.example/)
  assert.doesNotMatch(html, /href="[^"]*evil\.example/)
})

test('§2.5 a submission tells which webhook fired and which did not, and by which rule', async (t) => {
  const site = await startAdmin(t, {
    prepare: async ({ db }) => {
      await storeWebhook(db, 1, { url: 'https://127.0.0.1:9/' })
      await storeWebhook(db, 1, { url: 'https://127.0.0.1:9/', fireOn: { role: 'agency' } })
    },
  })
  const id = await send(site, ANN)
  const html = await site.read(`/admin/inbox/${id}`)
  assert.match(html, /skipped[\s\S]*role eq[\s\S]{0,60}agency[\s\S]{0,400}it was[\s\S]{0,100}owner/)
  assert.match(html, /href="\/admin\/deliveries\/\d+"/)
})

test('§2.1 a submission tells to whom it was mailed, what the mail server said, and when it is tried again', async (t) => {
  const mailServer = await startMailServer(t, { refusals: [{ code: 451 }] })
  const site = await startAdmin(t, {
    environment: { SMTP_URL: mailServer.url, MAIL_FROM: 'forms@example.com', WEBHOOK_RETRY_SCHEDULE: '1h' },
    prepare: ({ db }) => storeForm(db, 'quote', { settings: { notification_email: 'leads@example.com' } }),
  })
  const id = await send(site, { answer: 'Please call' }, 'quote')
  const mailLog = async () => {
    const html = await site.read(`/admin/inbox/${id}`)
    return html
      .slice(html.indexOf('id="mails"'))
      .replace(/<[^>]+>|\s+/g, ' ')
      .replace(/ +/g, ' ')
  }
  const { db, mailWorker } = site.app
  await waitFor(async () => (await db.selectFrom('mail_attempts').select('id').execute()).length === 1)
  assert.match(
    await mailLog(),
    /Notification mail Mail to leads@example\.com pending Next attempt .* \d\d:\d\d \S+ Attempt 1 failed \d+ ms .*refused with 451/,
  )
  await db.updateTable('notification_mails').set({ next_attempt_at: new Date().toISOString() }).execute()
  mailWorker?.wake()
  await waitFor(async () => (await db.selectFrom('mail_attempts').select('id').execute()).length === 2)
  assert.match(
    await mailLog(),
    /leads@example\.com sent Attempt 1 failed .*451.* Attempt 2 sent \d+ ms .* 250 /,
  )
})

test('§2.4 legacy submissions look the same, and labels are those of their time', async (t) => {
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
  assert.match(await site.read(`/admin/inbox/${id}`), /Full name[\s\S]*Lee Gacy[\s\S]*lee@example\.com/)
  assert.match(await search(site, { q: 'gacy' }), /Lee Gacy/)
})

test('what visitors write never becomes markup, and files are only ever saved', async (t) => {
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
  const [, file = ''] =
    new RegExp(`(/admin/inbox/${id}/files/\\d+)"`).exec(await site.read(`/admin/inbox/${id}`)) ?? []
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
  assert.equal((await site.fetch(file.replace(`/${id}/`, `/${id + 1}/`))).status, 404)
  assert.equal((await fetch(site.url + file, { redirect: 'manual' })).status, 303)
  printFigure(t, '0 tags of a visitor on 3 pages, the file saved as octet-stream')
})

test('the filtered list is exported as CSV without formulas and as JSON, after the password', async (t) => {
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
  assert.match(String(lines[1]), /,waitlist,1,new,.*Bob.*,'＝cmd$/)
  assert.match(
    String(lines[2]),
    /,"'=HYPERLINK\(""http:\/\/evil""\)",ann@example\.com,'\+1 512 555 0100,"a, ""b"""/,
  )

  const [, inEurope] = /href="([^"]+separator=semicolon)"/.exec(await search(site, { q: 'bob' })) ?? []
  const semicolons = await (await site.fetch(String(inEurope).replaceAll('&amp;', '&'))).text()
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
  assert.match(await told.text(), /Your export is on its way[\s\S]*href="\/admin\/inbox\?status=new"/)
})

test('a phone answer is shown as it was sent, and its link dials E.164 or is left out', async (t) => {
  const site = await startAdmin(t)
  const irish = await send(site, { ...ANN, phone: '+353 (0)61 555 0142' })
  const page = await site.read(`/admin/inbox/${irish}`)
  const local = await send(site, { ...ANN, phone: '(512) 555-0142' })
  assert.match(await site.read(`/admin/inbox/${local}`), /href="tel:\+15125550142"/)
  assert.match(page, /href="tel:\+353615550142"[^>]*>\s*\+353 \(0\)61 555 0142/)
  const short = await send(site, { ...ANN, phone: '555-0142' })
  const withoutLink = await site.read(`/admin/inbox/${short}`)
  assert.ok(withoutLink.includes('555-0142') && !withoutLink.includes('href="tel:'))
})

test('a refused phone answer gets an example from the country of the site', async (t) => {
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
