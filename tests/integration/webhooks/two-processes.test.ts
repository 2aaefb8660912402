import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { connectDatabase } from '../../../src/db/connect.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { atEnd } from '../../support/at-end.ts'
import { startReceiver } from '../../support/receiver.ts'
import { aDispatcher, haveWebhooks, settledDeliveries, submit } from './webhook-world.ts'

const SERVER = process.env.TEST_DATABASE_URL
const skip = SERVER ? false : 'TEST_DATABASE_URL is not set; .ci/run starts a server'
const SUBMISSIONS = 60

test('two dispatchers on one PostgreSQL share the work and send nothing twice', { skip }, async (t) => {
  const name = `signpost_${randomUUID().replaceAll('-', '')}`
  const admin = new Client({ connectionString: SERVER })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = Object.assign(new URL(String(SERVER)), { pathname: `/${name}` }).href
  const [one, two] = [connectDatabase(url), connectDatabase(url)] as const
  atEnd(t, async () => {
    await Promise.all([one.destroy(), two.destroy()])
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  await migrate(one)
  const receiver = await startReceiver(t, (response) => setTimeout(() => response.writeHead(200).end(), 5))
  await haveWebhooks(one, { name: 'a', url: receiver.url }, { name: 'b', url: receiver.url })
  for (let n = 0; n < SUBMISSIONS; n++) await submit(one)
  const dispatchers = [one, two].map((db) => aDispatcher(t, db))
  for (const { dispatcher } of dispatchers) dispatcher.start()
  const deliveries = await settledDeliveries(one)
  assert.ok(deliveries.every(({ status }) => status === 'delivered'))
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
  assert.equal(ids.length, 2 * SUBMISSIONS)
  assert.equal(new Set(ids).size, 2 * SUBMISSIONS)
  assert.deepEqual(
    dispatchers.flatMap(({ errors }) => errors),
    [],
  )
  await Promise.all(dispatchers.map(({ dispatcher }) => dispatcher.stop()))
})
