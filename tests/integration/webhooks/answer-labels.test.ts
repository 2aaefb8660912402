import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { formDefinitionSchema } from '#src/forms/form-definition.ts'
import { saveForm } from '#src/forms/form-store.ts'
import { previewWebhook } from '#src/webhooks/trials/preview-webhook.ts'
import { sendTestDelivery } from '#src/webhooks/trials/send-test-delivery.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { aDispatcher, FORM_ID, haveWebhooks, SITE_URL, settledDeliveries, submit } from './webhook-world.ts'

const TEMPLATE = {
  service: '{{service.label}}',
  extras: '{{extras.label}}',
  line: '{{extras.label | default: "nothing"}} for {{service.label | escape}}',
}
const ANSWERS = { service: 'ac', extras: ['pets'] }

async function ask(db: Kysely<Schema>, options: { service: string[]; extras: string[] }) {
  const definition = formDefinitionSchema.parse({
    name: 'Waitlist',
    fields: [
      { name: 'service', type: 'select', label: 'Service', options: options.service },
      { name: 'extras', type: 'checkbox', label: 'Extras', options: options.extras },
    ],
  })
  await saveForm(db, 'waitlist', definition, { now: '2026-11-20T09:00:00.000Z' })
}

test('contract §8: deliveries have the labels of the answered form version, also after a rename', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  await ask(db, { service: ['Air conditioning/ac'], extras: ['Pets & <kids>/pets'] })
  await haveWebhooks(
    db,
    { name: 'a', url: receiver.url, payload_template: TEMPLATE },
    { name: 'b', url: receiver.url },
  )
  const answered = (
    await db.selectFrom('forms').select('version').where('id', '=', FORM_ID).executeTakeFirst()
  )?.version
  const id = await submit(db, { answers: ANSWERS })
  await db
    .updateTable('form_submissions')
    .set({ form_version: answered ?? null })
    .where('id', '=', id)
    .execute()
  await ask(db, { service: ['Cooling/ac'], extras: ['Animals/pets'] })
  await submit(db, { answers: { service: 'ac', extras: [] } })
  aDispatcher(t, db).dispatcher.start()
  const bodies = (await settledDeliveries(db)).map(({ body }) => JSON.parse(body ?? ''))
  const [first, firstWhole, second, secondWhole] = bodies
  assert.deepEqual(first, {
    ...{ service: 'Air conditioning', extras: ['Pets & <kids>'] },
    line: 'Pets & <kids> for Air conditioning',
  })
  assert.deepEqual(second, { service: 'Cooling', extras: [], line: 'nothing for Cooling' })
  assert.deepEqual(
    [firstWhole, secondWhole].map(({ data }) => data.submission.labels),
    [
      { service: 'Air conditioning', extras: ['Pets & <kids>'] },
      { service: 'Cooling', extras: [] },
    ],
  )
  assert.deepEqual(firstWhole.data.submission.answers, ANSWERS)
})

test('contract §8: previews and tests with made-up answers have labels too', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  await ask(db, { service: ['Air conditioning/ac'], extras: ['Pets/pets'] })
  const submissionId = await submit(db, { answers: ANSWERS })
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: receiver.url, payload_template: TEMPLATE })
  const preview = await previewWebhook(db, id, submissionId, { siteUrl: SITE_URL })
  const expected = { service: 'Air conditioning', extras: ['Pets'], line: 'Pets for Air conditioning' }
  assert.ok('request' in preview)
  assert.deepEqual(JSON.parse(preview.request.body ?? ''), expected)
  await sendTestDelivery(db, id, { siteUrl: SITE_URL, now: new Date() })
  aDispatcher(t, db).dispatcher.start()
  const [request] = await receiver.waitForRequests(1)
  assert.deepEqual(JSON.parse(request?.body ?? ''), expected)
})
