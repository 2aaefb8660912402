// biome-ignore-all lint/suspicious/noTemplateCurlyInString: content files name values of the environment like this

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Kysely } from 'kysely'
import { findAdministrator, insertAdministrator } from '#src/auth/administrator-store.ts'
import { prepareTwoFactors } from '#src/auth/two-factors.ts'
import { type Config, readConfig } from '#src/config.ts'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import { connectDatabase } from '#src/db/connect.ts'
import type { Schema } from '#src/db/schema.ts'
import { openSecretBox } from '#src/db/secret-key-store.ts'
import { createRingBox } from '#src/lib/key-ring.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { listWebhooksForUpdate } from '#src/webhooks/definition/webhook-store.ts'
import { openHeaders } from '#src/webhooks/secrets/sealed-headers.ts'
import { openSecrets } from '#src/webhooks/secrets/signing-secrets.ts'
import { atEnd } from './at-end.ts'
import { copyMigrated, temporaryFolder } from './database.ts'

const NOW = new Date('2026-11-22T10:00:00.000Z')
const CIPHERTEXT = /v1\.[\w-]{38,}/g

/** The file of a form whose webhook has a secret of each kind. */
function aSecretForm(name: string, url: string): string {
  return `name: ${name}
fields:
  - { name: email, type: email, label: Email }
webhooks:
  - name: Office
    url: ${url}
    headers: { Authorization: Bearer token-in-clear, X-Key: key-in-clear }
    signing_secret: \${HOOK_SECRET}
`
}

/**
 * Makes a data folder whose database contains everything that is encrypted: two of each webhook, account, file, and
 * conflict.
 */
export async function aSealedSite(
  t: TestContext,
  {
    environment = {},
    url = 'https://hooks.example/leads',
  }: { environment?: NodeJS.ProcessEnv; url?: string } = {},
) {
  const dataDir = temporaryFolder(t)
  const contentDir = join(dataDir, 'content')
  const config = readConfig({ DATA_DIR: dataDir, CONTENT_DIR: contentDir, ...environment })
  await copyMigrated(join(dataDir, 'signpost.db'))
  const db = connectDatabase(config.databaseUrl)
  atEnd(t, () => db.destroy())
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(contentDir, path)), { recursive: true })
    writeFileSync(join(contentDir, path), text)
  }
  const sync = (secret = 'signing-in-clear') => syncSite(db, config, secret)
  for (const form of ['quote', 'lead', 'call', 'visit']) write(`forms/${form}.yaml`, aSecretForm(form, url))
  await sync('signing-before-in-clear')
  await sync()
  for (const form of ['call', 'visit']) {
    await db.updateTable('forms').set({ description: 'By the admin' }).where('slug', '=', form).execute()
    write(`forms/${form}.yaml`, aSecretForm(`${form} by file`, url))
  }
  await sync()
  const secretBox = await openSecretBox(db, config.secretKeys)
  for (const email of ['ann@example.com', 'bob@example.com']) {
    const id = await insertAdministrator(db, { email, name: null, passwordHash: '', now: new Date() })
    const user = await findAdministrator(db, id ?? 0)
    assert.ok(user)
    await prepareTwoFactors({ db, secretBox }, user)
  }
  return { db, config, dataDir, contentDir, sync, secretBox }
}

export type SealedSite = Awaited<ReturnType<typeof aSealedSite>>

function syncSite(db: Kysely<Schema>, { contentDir, secretKeys }: Config, secret: string) {
  return openSecretBox(db, secretKeys).then((secretBox) =>
    syncContent(db, {
      contentDir,
      pictureFiles: openPictureFiles(contentDir),
      environment: { HOOK_SECRET: secret },
      secretBox,
      now: new Date(),
    }),
  )
}

/** Lists every ciphertext in the database, by table and column. */
export async function listCiphertexts(db: Kysely<Schema>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const { name, columns } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as 'settings')
      .selectAll()
      .execute()
    for (const column of columns) {
      const texts = rows.map((row) => String((row as Record<string, unknown>)[column.name] ?? ''))
      const here = texts.flatMap((text) => text.match(CIPHERTEXT) ?? [])
      if (here.length > 0) found.set(`${name}.${column.name}`, here)
    }
  }
  return found
}

/** The arguments of `rotateKey`, with the lines it reports. */
export function meansOf({ db, config }: Pick<SealedSite, 'db' | 'config'>) {
  const told: string[] = []
  return { told, db, config, now: NOW, tell: (line: string) => told.push(line) }
}

/** Lists every secret of the site in clear text, decrypted with the current keys. */
export async function openAll({ db, config }: Pick<SealedSite, 'db' | 'config'>) {
  const secretBox = createRingBox(config.secretKeys)
  const webhooks = (await listWebhooksForUpdate(db)).map((webhook) => ({
    headers: openHeaders(webhook.headers, { ...webhook, secretBox }),
    signing: openSecrets(webhook, { secretBox, now: new Date() }),
  }))
  const seeds = []
  for (const { id } of await db.selectFrom('admin_users').select('id').orderBy('id').execute()) {
    const user = await findAdministrator(db, id)
    assert.ok(user)
    seeds.push((await prepareTwoFactors({ db, secretBox }, user)).secret)
  }
  return { webhooks, seeds }
}
