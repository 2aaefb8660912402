import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openApp } from '#src/app.ts'
import { makeBackup } from '#src/backups/make-backup.ts'
import { restoreBackup } from '#src/backups/restore-backup.ts'
import { readConfig } from '#src/config.ts'
import { connectDatabase } from '#src/db/connect.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { newestKey } from '#src/lib/key-ring.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { readKeyFile } from '#src/secret-keys/key-file.ts'
import { finishRotation, rotateKey } from '#src/secret-keys/rotate-key.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { runScript, waitFor } from '../../support/running-site.ts'
import { aSealedSite, meansOf, openAll, type SealedSite } from '../../support/sealed-site.ts'

const NOW = new Date('2026-11-22T10:00:00.000Z')

async function backUp({ config, dataDir }: SealedSite) {
  const file = join(dataDir, 'copy.db')
  const secretKey = newestKey(config.secretKeys)
  const source = {
    databasePath: join(dataDir, 'signpost.db'),
    files: openDiskFiles(dataDir),
    pictureFiles: openPictureFiles(dataDir),
  }
  await makeBackup({ ...source, secretKey }, { file, now: NOW })
  return file
}

/** A server on another machine with the restored database and the key of the first. */
async function startRestored(t: TestContext, site: SealedSite) {
  const dataDir = temporaryFolder(t)
  const file = await backUp(site)
  copyFileSync(join(site.dataDir, 'secret.key'), join(dataDir, 'secret.key'))
  const config = readConfig({ DATA_DIR: dataDir, WEBHOOK_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'silent' })
  const target = {
    databasePath: join(dataDir, 'signpost.db'),
    files: openDiskFiles(dataDir),
    pictureFiles: openPictureFiles(dataDir),
  }
  const secretKey = newestKey(config.secretKeys)
  await restoreBackup({ ...target, secretKey }, { file, keepDir: dataDir, now: NOW })
  const app = await openApp(config)
  atEnd(t, () => app.close())
  app.dispatcher.start()
  return app
}

test('a restored database sends encrypted webhook headers to their own origin only', async (t) => {
  const [own, other] = [await startReceiver(t), await startReceiver(t)]
  const app = await startRestored(t, await aSealedSite(t, { url: own.url }))
  await app.desk.accept('quote', { email: 'visitor@example.com' })
  const [request] = await own.waitForRequests(1)
  assert.equal(request?.headers.authorization, 'Bearer token-in-clear')
  assert.equal(request?.headers['x-key'], 'key-in-clear')
  assert.ok(request?.headers['webhook-signature'])

  await app.db.updateTable('form_webhooks').set({ url: other.url }).execute()
  await app.desk.accept('quote', { email: 'visitor@example.com' })
  const reasons = () => app.db.selectFrom('webhook_deliveries').select('outcome_code').orderBy('id').execute()
  await waitFor(async () => (await reasons()).at(-1)?.outcome_code)
  assert.deepEqual(await reasons(), [{ outcome_code: null }, { outcome_code: 'header_sealed' }])
  assert.deepEqual(other.requests, [])
})

test('a backup from before a key rotation restores with the former key and is re-encrypted with the new one', async (t) => {
  const site = await aSealedSite(t)
  const { dataDir, db } = site
  const before = await openAll(site)
  const file = await backUp(site)
  await rotateKey(meansOf(site))
  await finishRotation(meansOf(site))
  const [key] = readKeyFile(join(dataDir, 'secret.key'))
  await db.destroy()

  const { code, output } = await runScript('restore.ts', { dataDir, arguments: [file] })
  assert.equal(code, 0, output)
  assert.match(
    output,
    /encrypted with an old key, which is valid again in .*secret\.key\. Run npm run key:rotate/,
  )
  assert.doesNotMatch(output, /Before you start it/)
  const config = readConfig({ DATA_DIR: dataDir })
  const restored = { ...site, config, db: connectDatabase(config.databaseUrl) }
  atEnd(t, () => restored.db.destroy())
  assert.deepEqual(await openAll(restored), before)
  await rotateKey(meansOf(restored))
  await finishRotation(meansOf(restored))
  assert.deepEqual(readKeyFile(join(dataDir, 'secret.key')), [key])
  assert.deepEqual(await openAll(restored), before)
})
