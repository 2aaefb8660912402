import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectSqlite } from '#src/db/connect.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { finishErasures, requestErasure } from '#src/privacy/erase-person.ts'
import { findNeededRewrite } from '#src/privacy/erasure-store.ts'
import { createCleanUpTurn } from '#src/server/removals/clean-up.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { countBytes } from '#tests/support/count-bytes.ts'
import { copyMigrated, temporaryFolder } from '#tests/support/database.ts'
import { storeWebhook } from '#tests/support/desk.ts'
import { storeForm } from '#tests/support/forms.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { startReceiver } from '#tests/support/receiver.ts'
import { waitFor } from '#tests/support/running-site.ts'
import { printFigure } from '#tests/support/soak.ts'
import { startSubmissionServer } from '#tests/support/submission-server.ts'
import { PNG } from '#tests/support/uploads.ts'
import { ERASER, NOW, toPerson } from './stored-person.ts'

const PERSON = { email: 'qwyzel@mail.example', phone: '087 765 4321', text: 'Qwyzel Ní Bhriain' }
const NEEDLES = [PERSON.email, PERSON.phone, '877654321', PERSON.text, 'qwyzel']
const WORK = ['webhook_deliveries', 'notification_mails', 'reply_mails'] as const

test('no byte remains of a person whose lead passed through the running server', async (t) => {
  const [mails, receiver] = [
    await startMailServer(t),
    await startReceiver(t, { status: 200, body: `Thank you, ${PERSON.text}` }),
  ]
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  atEnd(t, () => db.destroy())
  const form = await storeForm(db, 'quote', {
    fields: [
      { name: 'full_name', label: 'Name' },
      { name: 'email', label: 'Email', type: 'email' },
      { name: 'phone', label: 'Phone', type: 'phone' },
      { name: 'message', label: 'Message', type: 'textarea' },
      { name: 'photo', label: 'Photo', type: 'file' },
    ],
    settings: {
      notifications: [{ to: ['office@example.com'], subject: '{{full_name}}' }],
      reply: { subject: 'Thank you, {{full_name}}', text: 'We call {{phone}} back.' },
    },
  })
  await storeWebhook(db, form.id, { url: receiver.url })
  const smtp = { SMTP_URL: mails.url, MAIL_FROM: 'forms@example.com' }
  const server = await startSubmissionServer(t, dataDir, smtp)
  const { email, phone, text: name } = PERSON
  await post(server.url, { full_name: name, email, phone, photo: new File([PNG, name], `${name}.png`) })
  const message = `My neighbor ${name} wrote to you some weeks ago from ${email} and was very happy with the boiler.`
  const bob = { full_name: 'Bob Byrne', email: 'bob@mail.example', phone: '087 111 2222', message }
  await post(server.url, bob)
  await waitFor(async () => (await countOpen(db)) === 0 && mails.received.length >= 4, 60_000)
  const exited = once(server.process, 'exit')
  server.process.kill('SIGTERM')
  await exited
  const searchIndex = createSearchIndex({
    db,
    log: { error: (details) => assert.fail(JSON.stringify(details)) },
  })
  atEnd(t, () => searchIndex.stop())
  while (!(await searchIndex.catchUp(10_000)));
  const before = countBytes(dataDir, NEEDLES)
  assert.ok(before > 20, `${before} occurrences`)

  await requestErasure(db, toPerson(PERSON), ERASER, { now: NOW })
  await finishErasures(db, { files: openDiskFiles(dataDir), now: () => NOW })
  const takeTurn = createCleanUpTurn({
    ...{ db, dataDir, databaseUrl: `file:${path}`, searchIndex, now: () => NOW },
    findNeededRewrite: () => findNeededRewrite(db),
  })
  await takeTurn(new AbortController().signal)
  const left = countBytes(dataDir, NEEDLES)
  printFigure(t, `${before} occurrences of the person before, ${left} after`)
  assert.equal(left, 0)
  assert.ok(countBytes(dataDir, ['bob@mail.example']) > 0, 'the lead that mentions the person stays')
})

async function post(url: string, values: Readonly<Record<string, string | File>>): Promise<void> {
  const body = new FormData()
  for (const [name, value] of Object.entries(values)) body.set(name, value)
  // The campaign of a link in an email to the person.
  const last = {
    at: NOW.toISOString(),
    landing_page: '/',
    utm_source: PERSON.text,
    utm_campaign: PERSON.email,
  }
  body.set('_source', JSON.stringify({ last, pages: ['/'] }))
  const headers = { accept: 'application/json' }
  const response = await fetch(`${url}/api/forms/quote/submissions`, { method: 'POST', headers, body })
  assert.equal(response.status, 201, await response.text())
}

async function countOpen(db: ReturnType<typeof connectSqlite>): Promise<number> {
  const counts = WORK.map(async (table) => {
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('status', 'in', ['pending', 'sending'] as never[])
      .execute()
    return rows.length
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
