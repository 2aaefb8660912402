import { createRingBox, type KeyRing } from '../lib/key-ring.ts'
import { renewOrKeep, type SecretBox } from '../lib/secret-box.ts'
import { keyProblems } from '../messages/server/database.ts'
import type { Db } from './schema.ts'

const KEY = 'secret_key_check'
const PLACE = `settings.value_json.${KEY}`
const TEXT = 'This is the key.'

/**
 * Returns the secret box of these keys. The first key used with a database becomes its own; throws if that isn't one of
 * these, because they couldn't decrypt its secrets.
 */
export async function openSecretBox(db: Db, ring: KeyRing): Promise<SecretBox> {
  const box = createRingBox(ring)
  const sealed = (await findCheck(db)) ?? (await keepCheck(db, ring))
  if (opens(box, sealed)) return box
  throw new Error(problemOf(ring))
}

/**
 * Returns what to do when none of these keys is the database's own; undefined when one is, or when the database has no
 * key yet.
 */
export async function findKeyProblem(db: Db, ring: KeyRing): Promise<string | undefined> {
  const sealed = await findCheck(db)
  return sealed === undefined || opens(createRingBox(ring), sealed) ? undefined : problemOf(ring)
}

/** Makes the newest key the database's own. Secrets encrypted with another key stay unreadable. */
export async function acceptSecretKey(db: Db, ring: KeyRing): Promise<void> {
  await db.deleteFrom('settings').where('key', '=', KEY).execute()
  await keepCheck(db, ring)
}

/** Encrypts the check with the newest key. */
export async function renewKeyCheck(db: Db, { secretBox }: { secretBox: SecretBox }): Promise<void> {
  const former = await findCheck(db)
  if (former === undefined) return
  const now = renewOrKeep(former, PLACE, secretBox)
  if (now === former) return
  const value_json = JSON.stringify(now)
  await db.updateTable('settings').set({ value_json }).where('key', '=', KEY).execute()
}

function problemOf(ring: KeyRing): string {
  return ring().length > 1 ? keyProblems.bothWrong : keyProblems.wrong
}

async function findCheck(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value_json').where('key', '=', KEY).executeTakeFirst()
  return row && JSON.parse(row.value_json)
}

// Another process may have been quicker: the stored value counts.
async function keepCheck(db: Db, ring: KeyRing): Promise<string> {
  ring.keep?.()
  const sealed = createRingBox(ring).seal(TEXT, PLACE)
  await db
    .insertInto('settings')
    .values({ key: KEY, value_json: JSON.stringify(sealed) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  return (await findCheck(db)) ?? sealed
}

function opens(box: SecretBox, sealed: string): boolean {
  try {
    return box.open(sealed, PLACE) === TEXT
  } catch {
    return false
  }
}
