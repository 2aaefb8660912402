import { createSecretBox, type SecretBox } from '../lib/secret-box.ts'
import type { Db } from './schema.ts'

const KEY = 'secret_key_check'
const PLACE = `settings.value_json.${KEY}`
const TEXT = 'This is the key.'
const WRONG_KEY =
  'SECRET_KEY is not the key that this database was made with: set it to that key, or put the file secret.key back into DATA_DIR. ' +
  'If that key is lost, run npm run webhooks -- accept-key, then give each webhook a new signing secret'

/**
 * The secret box of this key. The first key that a database meets is its own; throws when it is given another one,
 * with which nothing could be opened that is encrypted in it.
 */
export async function openSecretBox(db: Db, key: Uint8Array): Promise<SecretBox> {
  const box = createSecretBox(key)
  const sealed = (await findCheck(db)) ?? (await keepCheck(db, box))
  if (opens(box, sealed)) return box
  throw new Error(WRONG_KEY)
}

/** What to do about a key that is not the database's own; undefined when it is, or when the database has met none. */
export async function findKeyProblem(db: Db, key: Uint8Array): Promise<string | undefined> {
  const sealed = await findCheck(db)
  return sealed === undefined || opens(createSecretBox(key), sealed) ? undefined : WRONG_KEY
}

/** Makes this key the database's own. What was encrypted by another one stays unreadable. */
export async function acceptSecretKey(db: Db, key: Uint8Array): Promise<void> {
  await db.deleteFrom('settings').where('key', '=', KEY).execute()
  await keepCheck(db, createSecretBox(key))
}

async function findCheck(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value_json').where('key', '=', KEY).executeTakeFirst()
  return row && JSON.parse(row.value_json)
}

// Another process may have been quicker: what counts is what is stored.
async function keepCheck(db: Db, box: SecretBox): Promise<string> {
  const sealed = box.seal(TEXT, PLACE)
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
