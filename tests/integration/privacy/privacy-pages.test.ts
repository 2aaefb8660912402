import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdminSite, startAdmin } from '#tests/support/admin.ts'
import { readAnswer } from '#tests/support/pages/read-page.ts'
import { addPerson } from '#tests/support/people.ts'
import { storeFormWithLeads } from '#tests/support/stored/leads.ts'
import { zipEntries } from '#tests/support/zip-entries.ts'

const EMAIL = 'grace.hopper@visitor.example'
const PASSWORD = 'correct horse battery'

async function storeVisitor({ app }: AdminSite) {
  const { leads } = await storeFormWithLeads(app, 'quotes')
  const [{ id, uploadId }, other] = leads
  const photo = { name: 'My roof.jpg', size: 7, type: 'image/jpeg', upload_id: uploadId }
  await app.db
    .updateTable('form_submissions')
    .set({ email: null, data_json: JSON.stringify({ email: EMAIL, photo }) })
    .where('id', '=', id)
    .execute()
  await app.db
    .updateTable('submission_notes')
    .set({ body: `Ask ${EMAIL}` })
    .where('submission_id', '=', other.id)
    .execute()
  await app.db.deleteFrom('notification_mails').where('submission_id', '=', id).execute()
  const mail = { submission_id: id, created_at: new Date().toISOString(), status: 'sent' } as const
  const office = { ...mail, recipient: 'office@example.com' }
  const failed = { ...mail, recipient: 'gone@example.com', status: 'failed' } as const
  await app.db.insertInto('notification_mails').values([office, office, failed]).execute()
  await app.db
    .updateTable('reply_mails')
    .set({ recipient: EMAIL, status: 'sent' })
    .where('submission_id', '=', id)
    .execute()
  return { id, uploadId }
}

test('the screen finds a person and shows what is stored and where it was sent', async (t) => {
  const site = await startAdmin(t)
  const { id } = await storeVisitor(site)
  ;(await site.open('/admin/privacy')).getByRole('heading', { name: 'Privacy' })
  const page = await readAnswer(await site.post('/admin/privacy', { email: EMAIL.toUpperCase() }))
  const cellOf = (label: RegExp) =>
    page.part('row', { name: label }).getAllByRole('cell')[1]?.textContent?.trim()
  assert.equal(cellOf(/^Leads with/), '1')
  assert.equal(cellOf(/^Files/), '1')
  assert.equal(cellOf(/^Notes/), '2')
  assert.equal(cellOf(/^Webhook deliveries/), '2')
  assert.equal(cellOf(/^Other notes/), '2')
  page.getByRole('link', { name: `Lead ${id}` })
  page.getByText('These receivers and mailboxes keep copies of the data. Erase those copies, too.')
  page.getByText('office@example.com: 2 emails')
  page.getByText(`${EMAIL}: 1 email`)
  page.getByRole('button', { name: 'Export ZIP' })
  const nothing = await readAnswer(await site.post('/admin/privacy', { phone: '+1 512 555 0199' }))
  nothing.getByText('Nothing found.')
  const wrong = await readAnswer(await site.post('/admin/privacy', { phone: '12' }), 422)
  assert.match(String(wrong.mistakeOf('Phone number')), /at least 6 digits/)
})

test('the export is a ZIP with all the person’s data and files', async (t) => {
  const site = await startAdmin(t)
  const { id, uploadId } = await storeVisitor(site)
  const response = await site.post('/admin/privacy/export', { email: EMAIL })
  assert.equal(response.headers.get('content-type'), 'application/zip')
  const entries = zipEntries(Buffer.from(await response.arrayBuffer()))
  const path = `files/${uploadId}-My-roof.jpg`
  assert.deepEqual([...entries.keys()], ['person.json', path])
  assert.equal(String(entries.get(path)), 'a photo')
  const { leads, mentions } = JSON.parse(String(entries.get('person.json')))
  assert.equal(leads.length, 1)
  assert.equal(leads[0].id, id)
  assert.equal(leads[0].answers[0].text, EMAIL)
  assert.equal(leads[0].notes.length, 2)
  assert.equal(leads[0].deliveries.length, 2)
  assert.equal(mentions.length, 2)
  const log = JSON.stringify(await site.app.db.selectFrom('audit_log').selectAll().execute())
  assert.match(log, /Exported a person’s data: 1 lead, 1 file/)
  assert.doesNotMatch(log, /hopper/i)
})

test('an erasure needs the email address and the password and leaves nothing to find', async (t) => {
  const site = await startAdmin(t)
  const { id } = await storeVisitor(site)
  const asked = await readAnswer(await site.post('/admin/privacy/erasure', { email: EMAIL }))
  asked.getByRole('heading', { name: 'Erase this person’s data?' })
  const fields = { email: EMAIL, confirmed: 'yes' }
  const wrong = { confirmation: 'someone@else.example', password: 'not it' }
  const refused = await readAnswer(await site.post('/admin/privacy/erasure', { ...fields, ...wrong }), 422)
  assert.match(String(refused.mistakeOf(`Type ${EMAIL} to confirm`)), /exactly/)
  assert.match(String(refused.mistakeOf('Your password')), /Incorrect/)
  assert.equal((await site.fetch(`/admin/inbox/${id}`)).status, 200)

  const right = { confirmation: EMAIL, password: PASSWORD }
  const done = await site.post('/admin/privacy/erasure', { ...fields, ...right })
  assert.equal(done.headers.get('location'), '/admin/privacy')
  assert.equal((await site.fetch(`/admin/inbox/${id}`)).status, 404)
  const after = await readAnswer(await site.post('/admin/privacy', { email: EMAIL }))
  after.getByText('Nothing found.')
  after.getByRole('row', { name: /ann@example\.com 1 1 2/ })
  const log = JSON.stringify(await site.app.db.selectFrom('audit_log').selectAll().execute())
  assert.match(log, /Erased a person’s data: 1 lead, 1 file, 2 other items/)
  assert.doesNotMatch(log, /hopper/i)
})

test('leads that only mention the person stay unless the box is ticked', async (t) => {
  const site = await startAdmin(t)
  await storeVisitor(site)
  const { leads } = await storeFormWithLeads(site.app, 'calls')
  const [{ id }] = leads
  const message = `My neighbor wrote to you from ${EMAIL} and was very happy with the new boiler, so I ask too.`
  await site.app.db
    .updateTable('form_submissions')
    .set({ email: null, data_json: JSON.stringify({ message }) })
    .where('id', '=', id)
    .execute()
  const asked = await readAnswer(await site.post('/admin/privacy/erasure', { email: EMAIL }))
  const box = asked.getByRole<HTMLInputElement>('checkbox', { name: 'Delete leads with mentions' })
  assert.equal(box.checked, false)
  const right = { email: EMAIL, confirmed: 'yes', confirmation: EMAIL, password: PASSWORD }
  await site.post('/admin/privacy/erasure', right)
  const html = await (await site.fetch(`/admin/inbox/${id}`)).text()
  assert.match(html, /wrote to you from \[erased\] and was/)
})

test('only owners and managers without limits can open Privacy', async (t) => {
  const site = await startAdmin(t)
  await storeVisitor(site)
  const limited = { places: [1] }
  for (const person of [
    await addPerson(site, 'manager', limited),
    await addPerson(site, 'office'),
    await addPerson(site, 'editor'),
    await addPerson(site, 'viewer'),
  ]) {
    const confirmed = { email: EMAIL, confirmed: 'yes', confirmation: EMAIL, password: PASSWORD }
    for (const path of ['/admin/privacy', '/admin/privacy/export', '/admin/privacy/erasure'])
      assert.equal((await person.post(path, confirmed)).status, 403, `${person.email} ${path}`)
  }
  const manager = await addPerson(site, 'manager')
  ;(await readAnswer(await manager.post('/admin/privacy', { email: EMAIL }))).getByRole('button', {
    name: 'Export ZIP',
  })
})
