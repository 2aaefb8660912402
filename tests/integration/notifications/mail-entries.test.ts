import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { createMailWorker } from '#src/notifications/mail-worker.ts'
import { createMailSender } from '#src/notifications/send-mail.ts'
import { markNotSpam } from '#src/submissions/inbox/mark-spam.ts'
import { describeSubmission } from '#src/submissions/intake/notification-content.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, assertStored } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { aMailLook } from '../../support/mail-look.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { waitFor } from '../../support/running-site.ts'

const ORIGINS = { siteUrl: 'https://www.example.com', adminUrl: 'https://admin.example.com' }

async function aRoutedForm(db: Kysely<Schema>) {
  await storeForm(db, 'quote', {
    name: 'Quote',
    fields: [
      { name: 'full_name', label: 'Name', type: 'text' },
      { name: 'size', label: 'Size', type: 'select', options: ['Large/l', 'Small/s'] },
    ],
    settings: {
      notifications: [
        {
          to: ['texas@example.com', 'austin@example.com'],
          when: { field: 'meta.location_slug', op: 'within', value: 'texas' },
          subject: '{{meta.service_name}} in {{meta.location_name}}: {{full_name}}',
          text: '{{size.label}} for {{full_name}}\n{{meta.admin_url}}',
        },
        { to: ['hq@example.com'], fallback: true },
      ],
    },
  })
}

const recipientsOf = async (db: Kysely<Schema>) =>
  (await db.selectFrom('notification_mails').select('recipient').orderBy('id').execute()).map(
    ({ recipient }) => recipient,
  )

test('contract §8: a lead is emailed to matching entries with their texts, or to the fallback', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  await aRoutedForm(db)
  const desk = aDesk(db, { sendsMail: true })
  await desk.accept('quote', { full_name: 'Ann', size: 'l', _page: '/services/ac-repair/austin' })
  await desk.accept('quote', { full_name: 'Bob', size: 's' })
  assert.deepEqual(await recipientsOf(db), ['texas@example.com', 'austin@example.com', 'hq@example.com'])
  const worker = createMailWorker({
    db,
    send: createMailSender({ smtpUrl: server.url, from: 'forms@example.com' }),
    describe: (mail) => describeSubmission(db, mail, { ...ORIGINS, look: aMailLook() }),
    retryAt: (_attempt, now) => now,
    messageHost: 'www.example.com',
    logger: { info() {}, warn() {}, error() {} },
  })
  atEnd(t, () => worker.stop({ withinMs: 0 }))
  worker.start()
  await waitFor(() => server.received.length === 3)
  const mailTo = (address: string) =>
    server.received.find(({ recipients }) => recipients.includes(address))?.raw ?? ''
  assert.match(mailTo('texas@example.com'), /^Subject: AC repair in Austin: Ann\r$/m)
  assert.match(
    mailTo('austin@example.com'),
    /\r\n\r\nLarge for Ann\r\nhttps:\/\/admin\.example\.com\/admin\/inbox\/1\r\n/,
  )
  assert.match(mailTo('hq@example.com'), /^Subject: Quote: Bob, Small\r$/m)
  assert.match(mailTo('hq@example.com'), /Name: Bob\r\n/)
})

test('contract §8: spam is emailed to nobody until it is marked as not spam', async (t) => {
  const db = await openTestDatabase(t)
  await aRoutedForm(db)
  const desk = aDesk(db, { sendsMail: true })
  const outcome = await desk.accept('quote', {
    full_name: 'Ann',
    _t: Date.now(),
    _page: '/services/ac-repair/austin',
  })
  assert.deepEqual(await recipientsOf(db), [])
  const { id } = assertStored(outcome)
  assert.ok(await markNotSpam(db, id, { scope: EVERY_LEAD, ...ORIGINS, sendsMail: true, now: new Date() }))
  assert.deepEqual(await recipientsOf(db), ['texas@example.com', 'austin@example.com'])
})
