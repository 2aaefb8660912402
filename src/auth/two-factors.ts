import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { sha256Hex } from '../lib/canonical-json.ts'
import type { Outcome } from '../lib/outcome.ts'
import { openSecret, renewOrKeep, type SecretBox } from '../lib/secret-box.ts'
import type { Administrator } from './administrator.ts'
import { findAdministrator, lockAdministrator } from './administrator-store.ts'
import { deletePasskeys } from './passkeys/passkey-store.ts'
import { deleteSessions, hasSession, updateSecondFactor } from './session-store.ts'
import { findTotpStep, makeTotpSecret, totpAddress } from './totp.ts'
import { isTwoStepRequired } from './two-factor-settings-store.ts'
import {
  confirmTotp,
  deleteTwoFactors,
  findTwoFactors,
  insertTotpSecret,
  listTotpSecrets,
  replaceRecoveryCodes,
  replaceSealedTotp,
  spendRecoveryCode,
  spendTotpStep,
} from './two-factor-store.ts'

const RECOVERY_CODES = 10
// 128 bits; ASVS 5.0 §6.5.2 requires 112 for codes stored with a plain hash.
const RECOVERY_BYTES = 16

interface Means {
  db: Kysely<Schema>
  secretBox: SecretBox
}

/**
 * Returns the secret for an authenticator app and makes one if needed, also after the loss of `SECRET_KEY`. It takes
 * effect once `confirmTwoFactors` accepts a code.
 */
export async function prepareTwoFactors(
  { db, secretBox }: Means,
  { id, email }: Administrator,
): Promise<{ secret: string; address: string }> {
  const known = await findTwoFactors(db, id)
  const stored = openSecret(known?.sealedSecret, placeOf(id), { secretBox })
  const secret = stored ?? makeTotpSecret()
  if (stored === undefined) await insertTotpSecret(db, id, secretBox.seal(secret, placeOf(id)))
  return { secret, address: totpAddress(secret, email) }
}

/**
 * The session that changes the factors; the account's other sessions end. Without one, all end. The change is refused
 * with `ended` if the session has ended in the meantime, for example because of a new password.
 */
interface KeptSession {
  keptSessionId?: number | undefined
}

type NewCodes = Outcome<string[], never, 'wrong_code' | 'ended'>

/** Turns on two-step sign-in with a first valid code and returns the recovery codes, which are stored only as hashes. */
export async function confirmTwoFactors(
  means: Means,
  userId: number,
  { code, keptSessionId }: KeptSession & { code: string },
  { now }: { now: Date },
): Promise<NewCodes> {
  if (!(await spendCode(means, userId, code, { now }))) return { kind: 'refused', code: 'wrong_code' }
  return means.db.transaction().execute(async (trx) => {
    if (await hasEnded(trx, userId, { keptSessionId })) return { kind: 'refused', code: 'ended' }
    await confirmTotp(trx, userId, { now })
    if (keptSessionId !== undefined) await updateSecondFactor(trx, keptSessionId, 'code')
    return { kind: 'saved', value: await replaceFactors(trx, userId, { keptSessionId }) }
  })
}

/** Makes new recovery codes and voids the old ones. */
export function renewRecoveryCodes(
  db: Kysely<Schema>,
  userId: number,
  kept: KeptSession = {},
): Promise<NewCodes> {
  return db.transaction().execute(async (trx) => {
    if (await hasEnded(trx, userId, kept)) return { kind: 'refused', code: 'ended' }
    return { kind: 'saved', value: await replaceFactors(trx, userId, kept) }
  })
}

/**
 * Turns off two-step sign-in for a user and deletes the recovery codes. Passkeys stay. Returns `required` if
 * everyone must have two-step sign-in and the user has no passkey.
 */
export function removeTwoFactors(
  db: Kysely<Schema>,
  userId: number,
  { keptSessionId }: KeptSession = {},
): Promise<Outcome<undefined, never, 'required' | 'ended'>> {
  return db.transaction().execute(async (trx) => {
    if (await hasEnded(trx, userId, { keptSessionId })) return { kind: 'refused', code: 'ended' }
    const isNeeded = (await isTwoStepRequired(trx)) && !(await findAdministrator(trx, userId))?.hasPasskeys
    if (isNeeded) return { kind: 'refused', code: 'required' }
    await deleteTwoFactors(trx, userId)
    await deleteSessions(trx, userId, { except: keptSessionId })
    return { kind: 'saved', value: undefined }
  })
}

/**
 * Removes all second factors of a user who lost their phone: authenticator app, recovery codes, and passkeys.
 * All their sessions end.
 */
export function resetSecondFactors(db: Kysely<Schema>, userId: number): Promise<void> {
  return db.transaction().execute((trx) => deleteSecondFactors(trx, userId))
}

/** Does the work of `resetSecondFactors` within a transaction. */
export async function deleteSecondFactors(trx: Db, userId: number): Promise<void> {
  await deleteTwoFactors(trx, userId)
  await deletePasskeys(trx, userId)
  await deleteSessions(trx, userId)
}

// Blocks other changes to the account until the transaction ends.
async function hasEnded(trx: Db, userId: number, { keptSessionId }: KeptSession): Promise<boolean> {
  await lockAdministrator(trx, userId)
  return keptSessionId !== undefined && !(await hasSession(trx, keptSessionId, { userId }))
}

async function replaceFactors(trx: Db, userId: number, { keptSessionId }: KeptSession): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode)
  await replaceRecoveryCodes(trx, userId, codes.map(hashOf))
  await deleteSessions(trx, userId, { except: keptSessionId })
  return codes
}

/** Returns whether this is the current six-digit code or an unused recovery code, and uses it up. */
export async function checkSecondFactor(
  means: Means,
  userId: number,
  code: string,
  { now }: { now: Date },
): Promise<boolean> {
  if (await spendCode(means, userId, code, { now })) return true
  return spendRecoveryCode(means.db, userId, hashOf(code))
}

async function spendCode(
  { db, secretBox }: Means,
  userId: number,
  code: string,
  { now }: { now: Date },
): Promise<boolean> {
  const known = await findTwoFactors(db, userId)
  // After the loss of `SECRET_KEY`, only recovery codes are left.
  const secret = openSecret(known?.sealedSecret, placeOf(userId), { secretBox })
  if (!known || secret === undefined) return false
  const step = findTotpStep(code, { secret, lastStep: known.lastStep, now })
  return step !== undefined && spendTotpStep(db, userId, step)
}

/** Re-encrypts all secrets with the newest key. A secret that no key can decrypt is left as is. */
export async function renewTotpSecrets(db: Db, { secretBox }: Pick<Means, 'secretBox'>): Promise<void> {
  for (const { userId, sealedSecret: former } of await listTotpSecrets(db)) {
    const now = renewOrKeep(former, placeOf(userId), secretBox)
    if (now !== former) await replaceSealedTotp(db, userId, { former, now })
  }
}

const placeOf = (userId: number) => `admin_users.totp_secret.${userId}`

function makeRecoveryCode(): string {
  return (randomBytes(RECOVERY_BYTES).toString('hex').match(/.{4}/g) ?? []).join('-')
}

function hashOf(code: string): string {
  return sha256Hex(code.toLowerCase().replace(/[^0-9a-f]/g, ''))
}
