import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { verifyAuditChain } from '#src/auth/audit/audit-chain.ts'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { readConfig } from '#src/config.ts'
import { tryFileLock } from '#src/db/file-lock.ts'
import { checkSecretKeys } from '#src/doctor/check-secret-keys.ts'
import { findForm } from '#src/forms/form-store.ts'
import { createRingBox, fixedRing, newestKey } from '#src/lib/key-ring.ts'
import { keyTexts } from '#src/messages/command-line/keys.ts'
import { machineOf } from '#src/publish/publish-lock.ts'
import { bringBackKey } from '#src/secret-keys/bring-back-key.ts'
import { keepFormerKey, readFormerKeys, readKeyFile, writeKeyFile } from '#src/secret-keys/key-file.ts'
import { countSeals } from '#src/secret-keys/reseal-secrets.ts'
import { finishRotation, rotateKey } from '#src/secret-keys/rotate-key.ts'
import { restoreTrashedForm, trashForm } from '#src/submissions/trash-form.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { runScript } from '../../support/running-site.ts'
import { said } from '../../support/said.ts'
import { aSealedSite, listCiphertexts, meansOf, openAll, type SealedSite } from '../../support/sealed-site.ts'

const KEYS = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const [FORMER, NEW, OTHER] = KEYS.map((key) => key.toString('base64')) as [string, string, string]

async function assertNoneLeft(site: SealedSite, former: ReadonlyMap<string, string[]>) {
  const now = await listCiphertexts(site.db)
  assert.deepEqual([...now.keys()], [...former.keys()])
  for (const [place, texts] of now) {
    assert.equal(texts.length, former.get(place)?.length, place)
    assert.deepEqual(
      texts.filter((text) => former.get(place)?.includes(text)),
      [],
      place,
    )
  }
}

async function dump({ db }: Pick<SealedSite, 'db'>) {
  return JSON.stringify([
    await db.selectFrom('audit_log').selectAll().execute(),
    ...(await listCiphertexts(db)),
  ])
}

/** Makes every write to a table fail, until the returned function is called. */
async function breakWrites({ db }: Pick<SealedSite, 'db'>, table: string) {
  for (const write of ['insert', 'update'])
    await sql`create trigger ${sql.ref(`broken_${write}`)} before ${sql.raw(write)} on ${sql.table(table)} begin
      select raise(abort, 'The disk is gone');
    end`.execute(db)
  return async () => {
    for (const write of ['insert', 'update'])
      await sql`drop trigger ${sql.ref(`broken_${write}`)}`.execute(db)
  }
}

test('a form in the trash keeps its secrets in a key rotation', async (t) => {
  const site = await aSealedSite(t)
  const { db, config, dataDir } = site
  const before = await openAll(site)
  const form = await findForm(db, 'lead')
  assert.ok(form)
  await db.transaction().execute((trx) => trashForm(trx, form, { now: '2026-11-22T09:00:00.000Z' }))
  const counted = await countSeals(db, config.secretKeys)
  await rotateKey(meansOf(site))
  const [key] = readKeyFile(join(dataDir, 'secret.key'))
  assert.ok(key)
  assert.deepEqual(await countSeals(db, fixedRing(key)), { former: 0, unreadable: 0 })
  assert.deepEqual(counted, { former: 0, unreadable: 0 })
  const [trashed] = await listTrash(db, { limit: 1 })
  assert.equal((await restoreTrashedForm(db, trashed?.id ?? 0, { now: new Date() })).kind, 'saved')
  assert.deepEqual(await openAll({ db, config: { ...config, secretKeys: fixedRing(key) } }), before)
})

test('a key rotation re-encrypts every secret and marks no form as edited', async (t) => {
  const site = await aSealedSite(t)
  const { db, config, dataDir, sync } = site
  const before = await openAll(site)
  assert.deepEqual(before.webhooks[0], {
    headers: { Authorization: 'Bearer token-in-clear', 'X-Key': 'key-in-clear' },
    signing: ['signing-in-clear', 'signing-before-in-clear'],
  })
  const ciphertexts = await listCiphertexts(db)
  assert.deepEqual([...ciphertexts.keys()].sort(), [
    'admin_users.totp_secret',
    'content_conflicts.file_json',
    'content_conflicts.row_json',
    'content_files.document_json',
    'form_webhooks.headers_json',
    'form_webhooks.previous_secrets_json',
    'form_webhooks.signing_secret',
    'settings.value_json',
  ])
  const former = newestKey(config.secretKeys)
  const { told, ...means } = meansOf(site)

  await rotateKey(means)
  const [key] = readKeyFile(join(dataDir, 'secret.key'))
  assert.ok(key && !key.equals(former))
  assert.deepEqual(config.secretKeys(), [key, former], 'both are valid')
  assert.match(told.join('\n'), /^Created a new key.*\nEncrypted 35 values .*\nIn 30 minutes.* -- --finish$/)
  await assertNoneLeft(site, ciphertexts)
  assert.deepEqual(await countSeals(db, fixedRing(key)), { former: 0, unreadable: 0 })
  assert.deepEqual(await openAll(site), before)
  const again = await sync()
  assert.deepEqual(again.kind === 'conflicts' && [again.changes.changed, again.changes.kept], [[], []])

  told.length = 0
  await finishRotation(means)
  assert.deepEqual(config.secretKeys(), [key])
  assert.deepEqual(readFormerKeys(dataDir), [former])
  assert.equal(statSync(join(dataDir, 'former.keys')).mode & 0o777, 0o600)
  assert.match(
    told.join('\n'),
    /^Everything is encrypted with the new key\n.*secret\.key now contains only the new key.*former\.keys/,
  )
  assert.deepEqual(await openAll(site), before)
  const [entry, ...others] = await listAuditEntries(db, { limit: 5 })
  assert.deepEqual(
    [entry?.action, entry?.userEmail, entry?.address, others],
    ['secret_key.replaced', 'npm run key:rotate', 'this machine', []],
  )
  assert.equal((await verifyAuditChain(db, {})).kind, 'intact')
})

test('a key can be rotated repeatedly, and a second run resumes the first', async (t) => {
  const site = await aSealedSite(t)
  const before = await openAll(site)
  const { told, ...means } = meansOf(site)
  await finishRotation(means)
  assert.match(told.join('\n'), /^No key rotation is in progress, so there is nothing to finish$/)
  for (const count of [1, 2]) {
    await rotateKey(means)
    const keys = site.config.secretKeys()
    await rotateKey(means)
    assert.deepEqual(site.config.secretKeys(), keys, 'no third key')
    await finishRotation(means)
    assert.equal(readFormerKeys(site.dataDir).length, count)
  }
  assert.deepEqual(await openAll(site), before)
})

test('a key rotation that fails at any write changes nothing, and the next one completes', async (t) => {
  const site = await aSealedSite(t)
  const before = await openAll(site)
  const writes = [
    'form_webhooks',
    'content_files',
    'admin_users',
    'content_conflicts',
    'settings',
    'audit_log',
  ]
  for (const table of writes) {
    const state = await dump(site)
    const mend = await breakWrites(site, table)
    await assert.rejects(rotateKey(meansOf(site)), /The disk is gone/, table)
    await mend()
    assert.equal(await dump(site), state, table)
    assert.deepEqual(await openAll(site), before)
  }
  await rotateKey(meansOf(site))
  await finishRotation(meansOf(site))
  assert.deepEqual(await openAll(site), before)
})

test('a key in the environment is replaced by the operator: the command says how and re-encrypts', async (t) => {
  const site = await aSealedSite(t, { environment: { SECRET_KEY: FORMER } })
  const { dataDir, contentDir } = site
  const before = await openAll(site)
  const state = await dump(site)
  const withKeys = (keys: NodeJS.ProcessEnv) => ({
    ...site,
    config: readConfig({ DATA_DIR: dataDir, CONTENT_DIR: contentDir, ...keys }),
  })
  const refusals: [NodeJS.ProcessEnv, RegExp][] = [
    [
      { SECRET_KEY: FORMER },
      /^Error: SECRET_KEY is set in the environment.*SECRET_KEY_PREVIOUS.*openssl rand/,
    ],
    [{ SECRET_KEY: NEW }, /^Error: SECRET_KEY is not the key .* Nothing was changed$/],
    [
      { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OTHER },
      /^Error: Neither SECRET_KEY nor .* Nothing was changed$/,
    ],
  ]
  for (const [keys, message] of refusals) {
    await assert.rejects(rotateKey(meansOf(withKeys(keys))), message)
    assert.equal(await dump(site), state)
  }
  const changing = withKeys({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: FORMER })
  assert.deepEqual(await openAll(changing), before)
  assert.match(
    said(await checkSecretKeys(changing.config)).says,
    /^The old key is still needed for 35 values\. /,
  )
  const { told, ...means } = meansOf(changing)
  await rotateKey(means)
  assert.match(told.join('\n'), /Encrypted 35 values.*\n.*remove SECRET_KEY_PREVIOUS and restart/)
  assert.match(
    said(await checkSecretKeys(changing.config)).says,
    /^The old key is no longer needed: .*remove SECRET_KEY_PREVIOUS/,
  )
  await finishRotation(means)
  assert.match(String(told.at(-1)), /^Remove SECRET_KEY_PREVIOUS and restart/)
  assert.deepEqual(await openAll(withKeys({ SECRET_KEY: NEW })), before)
  assert.equal(existsSync(join(dataDir, 'secret.key')), false)
})

test('a secret encrypted by an earlier version is also bound to its origin', async (t) => {
  const site = await aSealedSite(t)
  const before = await openAll(site)
  const [row] = await site.db.selectFrom('form_webhooks').selectAll().orderBy('id').execute()
  assert.ok(row)
  const secretBox = createRingBox(site.config.secretKeys)
  const signing_secret = secretBox.seal('signing-in-clear', `form_webhooks.signing_secret.${row.id}`)
  await site.db.updateTable('form_webhooks').set({ signing_secret }).where('id', '=', row.id).execute()
  assert.deepEqual(await countSeals(site.db, site.config.secretKeys), { former: 1, unreadable: 0 })
  await rotateKey(meansOf(site))
  assert.deepEqual(await openAll(site), before)
})

test('undecryptable secrets are counted, stay unchanged, and block nothing', async (t) => {
  const site = await aSealedSite(t)
  const secretBox = createRingBox(fixedRing(KEYS[2]))
  const lost = secretBox.seal('a seed', 'admin_users.totp_secret.1')
  await site.db.updateTable('admin_users').set({ totp_secret: lost }).where('id', '=', 1).execute()
  const { told, ...means } = meansOf(site)
  await rotateKey(means)
  assert.match(told.join('\n'), /Encrypted 34 values.*\nNo key can decrypt 1 value,/)
  await finishRotation(means)
  const [user] = await site.db.selectFrom('admin_users').select('totp_secret').orderBy('id').execute()
  assert.equal(user?.totp_secret, lost)
})

test('a former key that decrypts a restored database becomes valid again beside the current key', async (t) => {
  const { db, config, dataDir } = await aSealedSite(t)
  const path = join(dataDir, 'secret.key')
  const [own] = readKeyFile(path) as [Buffer]
  assert.equal(await bringBackKey(db, config), undefined)
  writeKeyFile(path, [KEYS[1]])
  const restored = readConfig({ DATA_DIR: dataDir })
  assert.equal(await bringBackKey(db, restored), undefined)
  keepFormerKey(dataDir, own)
  keepFormerKey(dataDir, KEYS[2])
  assert.equal(await bringBackKey(db, { ...restored, secretKeyFile: undefined }), undefined)
  assert.deepEqual(readKeyFile(path), [KEYS[1]])

  assert.match(String(await bringBackKey(db, restored)), /old key, which is valid again in .*secret\.key/)
  assert.deepEqual(readKeyFile(path), [KEYS[1], own])
  assert.equal(await bringBackKey(db, readConfig({ DATA_DIR: dataDir })), undefined)
  assert.deepEqual(readKeyFile(path), [KEYS[1], own])
})

test('servers with their own secret.key are listed, and the key isn’t replaced', async (t) => {
  const site = await aSealedSite(t)
  const moment = new Date().toISOString()
  const machines = [machineOf(site.dataDir), 'other:/srv/data', 'third:/srv/data']
  const servers = machines.map((machine, index) => ({ id: `${index}`, machine, release_id: null }))
  await site.db
    .insertInto('servers')
    .values(servers.map((server) => ({ ...server, version: '1', started_at: moment, seen_at: moment })))
    .execute()
  const key = readFileSync(join(site.dataDir, 'secret.key'))
  await assert.rejects(
    rotateKey(meansOf(site)),
    /^Error: other:\/srv\/data, third:\/srv\/data use this database .* SECRET_KEY_PREVIOUS/,
  )
  assert.deepEqual(readFileSync(join(site.dataDir, 'secret.key')), key)
})

test('doctor lists the remaining steps of a key rotation', async (t) => {
  const { config, ...site } = await aSealedSite(t)
  const says = async () => {
    const { state, says: text } = said(await checkSecretKeys(config))
    return `${state}: ${text}`
  }
  assert.match(await says(), /^ok: .*secret\.key, readable only by its owner$/)
  const mend = await breakWrites(site, 'settings')
  await assert.rejects(rotateKey(meansOf({ ...site, config })))
  await mend()
  assert.match(await says(), /^warning: The old key is still needed for 35 values\. Run npm run key:rotate$/)
  await rotateKey(meansOf({ ...site, config }))
  assert.match(await says(), /^warning: The old key is no longer needed: run npm run key:rotate -- --finish$/)
  await finishRotation(meansOf({ ...site, config }))
  assert.match(await says(), /^ok: /)
  chmodSync(join(config.dataDir, 'former.keys'), 0o644)
  assert.match(await says(), /^warning: Other users on this machine can read .*former\.keys\. Run chmod 600/)
})

test('key rotation needs a database and runs once at a time', async (t) => {
  const site = await aSealedSite(t)
  const two = await Promise.allSettled([rotateKey(meansOf(site)), rotateKey(meansOf(site))])
  assert.ok(two.some(({ status }) => status === 'fulfilled'))
  assert.equal(site.config.secretKeys().length, 2)
  const unlock = tryFileLock(join(site.dataDir, 'secret.key.lock'))
  await assert.rejects(finishRotation(meansOf(site)), new Error(keyTexts.busy))
  unlock?.()
  const path = join(site.dataDir, 'secret.key')
  rmSync(path)
  await assert.rejects(rotateKey(meansOf(site)), new Error(keyTexts.noFile(path)))
  const { code, output } = await runScript('key-rotate.ts', { dataDir: join(site.dataDir, 'none') })
  assert.deepEqual([code, output.trim()], [1, 'There is no database yet. Run npm start to create it'])
  assert.deepEqual(
    readdirSync(join(site.dataDir, 'none')).filter((name) => /key|\.db/.test(name)),
    [],
  )
})
