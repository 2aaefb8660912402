import { createWriteStream } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import { appendAuditEntry } from '../src/auth/audit/audit-chain.ts'
import { findHoldingBackups } from '../src/backups/holding-backups.ts'
import { backupStoreOf } from '../src/backups/stored-backups.ts'
import { type Config, readConfig } from '../src/config.ts'
import { findLocale } from '../src/db/locale-store.ts'
import type { Schema } from '../src/db/schema.ts'
import { openFileStore } from '../src/files/open-file-store.ts'
import { Failure } from '../src/lib/messages.ts'
import { backupTexts } from '../src/messages/admin/backups.ts'
import { personProblems, privacyActivity, privacyTexts } from '../src/messages/admin/privacy/privacy.ts'
import { privacyCommandTexts as texts } from '../src/messages/command-line/privacy.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { finishErasures, requestErasure } from '../src/privacy/erase-person.ts'
import { exportPerson } from '../src/privacy/export-person.ts'
import { countFound, type FoundPerson, findPerson } from '../src/privacy/find-person.ts'
import { type Person, readPerson } from '../src/privacy/person.ts'
import { cleanUpNow } from '../src/server/removals/clean-up.ts'
import { createSearchIndex } from '../src/submissions/search/search-index.ts'
import { chooseByWord, runCommand, takeWord, WrongUsage } from './command-line.ts'
import { withExistingDatabase } from './open-database.ts'

const OPTIONS = {
  email: { type: 'string' },
  phone: { type: 'string' },
  text: { type: 'string' },
  out: { type: 'string' },
  mentions: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
} as const

interface Asked {
  db: Kysely<Schema>
  config: Config
  person: Person
  out: string | undefined
  yes: boolean
}

const ACTIONS: Readonly<Record<string, (asked: Asked) => Promise<void>>> = {
  find: async (asked) => report(asked, await findPerson(asked.db, asked.person)),
  export: writeZip,
  erase,
}

const word = takeWord()

await runCommand({ usage: usages.privacy, options: OPTIONS }, async ({ out, yes, mentions, ...typed }) => {
  const act = chooseByWord(word, ACTIONS, 'action')
  if (act === writeZip && out === undefined) throw new WrongUsage(usageTexts.zipMissing)
  const config = readConfig(undefined, { isReadOnly: act !== erase })
  await withExistingDatabase(config.databaseUrl, async (db) => {
    const { country } = await findLocale(db)
    const person = readPerson({ ...typed, deletesMentions: mentions }, country)
    if (typeof person === 'string') throw new WrongUsage(personProblems[person])
    await act({ db, config, person, out, yes })
  })
})

async function report({ config }: Pick<Asked, 'config'>, found: FoundPerson): Promise<void> {
  for (const [row, count] of countFound(found)) {
    console.log(texts.found(privacyTexts.rows[row], count))
    if (row === 'leads' && count > 0) console.log(texts.lead(found.leads.slice(0, 50)))
  }
  reportCopies(found)
  const store = backupStoreOf(config)
  if (!config.databaseUrl.startsWith('file:') && !store) return console.log(backupTexts.elsewhere)
  const { backupKeep: keep, dataDir } = config
  const backups = await findHoldingBackups(join(dataDir, 'backups'), { keep, since: found.since, store })
  if (backups.until) console.log(texts.until(backups.until))
  if (backups.lasting.length > 0) console.log(backupTexts.lasting(backups.lasting))
  if (!backups.until && backups.lasting.length === 0) console.log(backupTexts.none)
  console.log(backupTexts.elsewhere)
}

function reportCopies({ receivers, mailboxes }: FoundPerson): void {
  const copies = [...receivers.map(privacyTexts.receiver), ...mailboxes.map(privacyTexts.mailbox)]
  if (copies.length > 0) console.log(privacyTexts.receivers)
  for (const copy of copies) console.log(texts.copy(copy))
}

async function writeZip({ db, config, person, out = '' }: Asked): Promise<void> {
  const now = new Date()
  const files = openFileStore(config.filePlace, config)
  const found = await findPerson(db, person)
  const count = { leads: found.leads.length, files: found.parts.uploads }
  const file = createWriteStream(out, { flags: 'wx', mode: 0o600 })
  await pipeline(await exportPerson(db, person, { found, files, now }), file).catch((error) => {
    throw error.code === 'EEXIST' ? new Failure(texts, 'fileExists', out) : error
  })
  const entry = { action: 'privacy.exported', summary: privacyActivity.exported(count), ...operator() }
  await appendAuditEntry(db, entry, { now })
  console.log(texts.exported(out, count))
}

async function erase({ db, config, person, yes }: Asked): Promise<void> {
  if (!yes) {
    await report({ config }, await findPerson(db, person))
    throw new Failure(texts, 'notErased')
  }
  await requestErasure(db, person, operator(), { now: new Date() })
  const options = { files: openFileStore(config.filePlace, config), now: () => new Date() }
  for (const erased of await finishErasures(db, options)) console.log(texts.erased(erased))
  const searchIndex = createSearchIndex({ db, log: { error: console.error } })
  await cleanUpNow(db, searchIndex)
  await searchIndex.stop()
}

function operator() {
  return { userId: null, userEmail: `${texts.operator} (${userInfo().username})`, address: texts.address }
}
