import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectSqlite } from '#src/db/connect.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { copyMigrated, temporaryFolder } from '#tests/support/database.ts'
import { runScript } from '#tests/support/running-site.ts'
import { zipEntries } from '#tests/support/zip-entries.ts'
import { PERSON, storeWorld } from './stored-person.ts'

test('npm run privacy finds, exports, and erases a person, and does nothing without --yes', async (t) => {
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  atEnd(t, () => db.destroy())
  const { first } = await storeWorld(db, join(dataDir, 'uploads'))
  const webhook = { form_id: 1, name: 'Office', url: 'https://hooks.example.com/' }
  const { id } = await db
    .insertInto('form_webhooks')
    .values(webhook)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'delivered', webhook_id: id })
    .where('id', '=', first.deliveryId)
    .execute()
  await db
    .updateTable('notification_mails')
    .set({ status: 'sent' })
    .where('submission_id', '=', first.id)
    .execute()
  const run = (...given: string[]) => runScript('privacy.ts', { dataDir, arguments: given })
  const { email } = PERSON

  const unasked = await run('find')
  assert.deepEqual([unasked.code, /Enter an email address, a phone number/.test(unasked.output)], [2, true])
  const unknown = await run('forget', '--email', email)
  assert.deepEqual([unknown.code, /expected one of find, export, erase/.test(unknown.output)], [2, true])

  const found = await run('find', '--email', email)
  assert.equal(found.code, 0, found.output)
  assert.match(found.output, /^ +1 {2}Leads with their sources/m)
  assert.match(found.output, /^ +1 {2}Other leads that mention the person$/m)

  assert.match(found.output, /^ +Office \(hooks\.example\.com\): 1 delivery$/m)
  assert.match(found.output, /^ +office@example\.com: 1 email$/m)
  assert.match(found.output, /^Daily backups don’t contain this data\.$/m)
  assert.match(found.output, /^This data also stays in backups stored elsewhere until you delete them\.$/m)

  const out = join(temporaryFolder(t), 'person.zip')
  const exported = await run('export', '--email', email, '--out', out)
  assert.equal(exported.code, 0, exported.output)
  const entries = zipEntries(readFileSync(out))
  assert.match(String(entries.get('person.json')), /"leads":\[\n\{/)
  assert.equal(entries.size, 1, 'its answers name no file')
  assert.equal((await run('export', '--email', email, '--out', out)).code, 1, 'it replaces no file')

  const kept = await run('erase', '--email', email)
  assert.deepEqual([kept.code, /Nothing was erased/.test(kept.output)], [1, true])
  const erased = await run('erase', '--email', email, '--mentions', '--yes')
  assert.equal(erased.code, 0, erased.output)
  assert.match(erased.output, /^Erased 2 leads, 2 files, and \d+ other items?\.$/m)
  const bytes = readFileSync(path, 'latin1') + readFileSync(`${path}-wal`, 'latin1')
  assert.equal(bytes.toLowerCase().split(email).length - 1, 0)
  const again = await run('find', '--email', email)
  assert.match(again.output, /^ +0 {2}Leads with their sources/m)
})
