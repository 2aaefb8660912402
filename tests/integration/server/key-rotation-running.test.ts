import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { readFormerKeys, readKeyFile } from '#src/secret-keys/key-file.ts'
import { finishRotation, rotateKey } from '#src/secret-keys/rotate-key.ts'
import { saveWebhook } from '#src/webhooks/definition/save-webhook-store.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { findWebhook } from '#src/webhooks/definition/webhook-store.ts'
import { rotateSigningSecret } from '#src/webhooks/secrets/rotate-signing-secret.ts'
import { signingSecretPlace } from '#src/webhooks/secrets/signing-secrets.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'
import { startReceiver } from '../../support/receiver.ts'
import { PROJECT_DIR, runScript, scriptEnvironment } from '../../support/running-site.ts'
import { aSealedSite, meansOf, openAll } from '../../support/sealed-site.ts'
import { solve } from '../../support/solve-challenge.ts'
import { withoutStrace } from '../../support/traced-server.ts'

const ROTATION = `
  const { readConfig } = await import('${PROJECT_DIR}/src/config.ts')
  const { connectDatabase } = await import('${PROJECT_DIR}/src/db/connect.ts')
  const { finishRotation, rotateKey } = await import('${PROJECT_DIR}/src/secret-keys/rotate-key.ts')
  const config = readConfig()
  const means = { db: connectDatabase(config.databaseUrl), config, now: new Date(), tell: console.log }
  await rotateKey(means)
  await finishRotation(means)
  await means.db.destroy()`

const killAtSync = (count: number) => [
  ...['-o', '/dev/null', '-e', 'trace=fsync,fdatasync'],
  ...['-e', `inject=fsync,fdatasync:signal=SIGKILL:when=${count}`],
]

// Everything that lasts is synced: a kill at each sync is one before and after each step.
test('a key rotation killed at any moment keeps every secret readable, and the next run completes it', {
  skip: withoutStrace,
}, async (t) => {
  for (let kill = 1; ; kill += 1) {
    const site = await aSealedSite(t)
    const before = await openAll(site)
    const [first] = site.config.secretKeys()
    const killed = spawnSync(
      'strace',
      [...killAtSync(kill), process.execPath, '--input-type=module', '-e', ROTATION],
      {
        env: scriptEnvironment(site),
        encoding: 'utf8',
      },
    )
    assert.ok(killed.signal === 'SIGKILL' || killed.status === 0, killed.stderr)
    const again = { ...site, config: readConfig({ DATA_DIR: site.dataDir }) }
    assert.deepEqual(await openAll(again), before, `after a kill at sync ${kill}: ${killed.stderr}`)
    await rotateKey(meansOf(again))
    await finishRotation(meansOf(again))
    assert.deepEqual(await openAll(again), before)
    assert.equal(again.config.secretKeys().length, 1)
    assert.deepEqual(readFormerKeys(site.dataDir).at(-1), first)
    if (killed.status === 0) return assert.ok(kill > 5, `${kill} syncs`)
  }
})

test('during a key rotation a running server decrypts with either key and encrypts with the new one', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await startFront(t)
  const { dataDir } = app.config
  const { id: formId } = await storeForm(app.db, 'lead')
  const sealing = { secretBox: app.secretBox, now: new Date() }
  const definition = webhookDefinition.parse({
    ...{ name: 'Office', url: receiver.url, signing_secret: 'signing-in-clear' },
    headers: { 'X-Key': 'key-in-clear' },
  })
  const webhookId = await app.db
    .transaction()
    .execute((trx) => saveWebhook(trx, { stored: undefined, formId, definition }, sealing))
  const send = async (count: number) => {
    await app.desk.accept('lead', { answer: 'hello' })
    const requests = await receiver.waitForRequests(count)
    assert.equal(requests[count - 1]?.headers['x-key'], 'key-in-clear')
  }
  const challenge = solve(await app.proofOfWork.issue('lead'))
  const ticket = app.secretBox.seal('who signs in', 'sign-in ticket')

  const rotation = await runScript('key-rotate.ts', { dataDir })
  assert.equal(rotation.code, 0, rotation.output)
  const [key] = readKeyFile(join(dataDir, 'secret.key'))
  assert.ok(key)
  await send(1)
  assert.ok(await app.proofOfWork.check('lead', challenge))
  assert.equal(app.secretBox.open(ticket, 'sign-in ticket'), 'who signs in')
  await rotateSigningSecret(app.db, webhookId, { ...sealing, secret: 'new-signing-secret' })
  const webhook = await findWebhook(app.db, webhookId)
  assert.ok(webhook?.signingSecret)
  assert.equal(
    createSecretBox(key).open(webhook.signingSecret, signingSecretPlace(webhook)),
    'new-signing-secret',
  )

  const end = await runScript('key-rotate.ts', { dataDir, arguments: ['--finish'] })
  assert.equal(end.code, 0, end.output)
  await send(2)
  assert.equal(await app.proofOfWork.check('lead', challenge), undefined)
  assert.throws(() => app.secretBox.open(ticket, 'sign-in ticket'))
  assert.ok(await app.proofOfWork.check('lead', solve(await app.proofOfWork.issue('lead'))))
})
