import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Administrator } from './administrator.ts'
import { findTotpStep, makeTotpSecret, totpAddress } from './totp.ts'
import {
  confirmTotp,
  findTwoFactors,
  insertTotpSecret,
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendTotpStep,
} from './two-factor-store.ts'

const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

interface Means {
  db: Kysely<Schema>
  secretBox: SecretBox
}

/** The secret to put into an app, made when there is none yet. It counts once `confirmTwoFactors` has seen a code. */
export async function prepareTwoFactors(
  { db, secretBox }: Means,
  { id, email }: Administrator,
): Promise<{ secret: string; address: string }> {
  const known = await findTwoFactors(db, id)
  const secret = known?.sealedSecret ? secretBox.open(known.sealedSecret, placeOf(id)) : makeTotpSecret()
  if (!known?.sealedSecret) await insertTotpSecret(db, id, secretBox.seal(secret, placeOf(id)))
  return { secret, address: totpAddress(secret, email) }
}

/** Switches codes on with a first right one, and gives the recovery codes, which are stored nowhere in the clear. */
export async function confirmTwoFactors(
  means: Means,
  userId: number,
  code: string,
  { now }: { now: Date },
): Promise<string[] | undefined> {
  if (!(await spendCode(means, userId, code, { now }))) return undefined
  return means.db.transaction().execute(async (trx) => {
    await confirmTotp(trx, userId, { now })
    const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode)
    await replaceRecoveryCodes(trx, userId, codes.map(hashOf))
    return codes
  })
}

/** New recovery codes; the old ones are worth nothing then. */
export function renewRecoveryCodes(db: Kysely<Schema>, userId: number): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode)
    await replaceRecoveryCodes(trx, userId, codes.map(hashOf))
    return codes
  })
}

/** Whether this is the code of the moment, or a recovery code; it is used up then. */
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
  if (!known?.sealedSecret) return false
  const secret = secretBox.open(known.sealedSecret, placeOf(userId))
  const step = findTotpStep(code, { secret, lastStep: known.lastStep, now })
  return step !== undefined && spendTotpStep(db, userId, step)
}

const placeOf = (userId: number) => `admin_users.totp_secret.${userId}`

// 80 random bits: too many to try, so a plain hash keeps them.
function makeRecoveryCode(): string {
  return (randomBytes(RECOVERY_BYTES).toString('hex').match(/.{5}/g) ?? []).join('-')
}

function hashOf(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^0-9a-f]/g, ''))
    .digest('hex')
}
