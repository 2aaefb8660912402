import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Schema } from '../../db/schema.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import type { Administrator } from '../administrator.ts'
import { lockAdministrator } from '../administrator-store.ts'
import { deleteSessions, hasSession, updateSecondFactor } from '../session-store.ts'
import { makeToken } from '../token.ts'
import { CHALLENGE_MS, makeChallenge, spendChallenge } from './challenges.ts'
import {
  findPasskeyUserId,
  insertPasskey,
  listPasskeys,
  type NewPasskey,
  setPasskeyUserId,
} from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

// EdDSA, ES256, RS256: the ones devices use. The library's default asks Node for more and logs a warning on
// stderr.
const ALGORITHMS = [-8, -7, -257]

/** Maximum number of passkeys per user. */
export const MOST_PASSKEYS = 20

const encoded = z.string().regex(/^[\w-]+$/)
const ATTESTATION = jsonColumn(
  z.object({
    id: encoded.max(1_400),
    rawId: encoded.max(1_400),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: encoded.max(8_000),
      attestationObject: encoded.max(16_000),
      transports: z.array(z.string().max(40)).max(10).default([]),
    }),
  }),
)

/** The user who registers. The challenge is valid in this session only. */
interface Registering {
  administrator: Administrator
  sessionId: number
}

const holderOf = (sessionId: number) => `session ${sessionId} registers`

/** Returns the options to make a passkey; undefined when too many requests are open. */
export async function prepareRegistration(
  db: Kysely<Schema>,
  party: RelyingParty,
  { administrator, sessionId, address }: Registering & { address: string },
  { now }: { now: Date },
) {
  const { id, email, name } = administrator
  const challenge = await makeChallenge(db, { holder: holderOf(sessionId), address }, { now })
  if (challenge === undefined) return undefined
  await setPasskeyUserId(db, id, makeToken())
  const [userId = '', known] = [await findPasskeyUserId(db, id), await listPasskeys(db, id)]
  // Half a megabyte of code that only passkey users need.
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName: party.host,
    rpID: party.host,
    userID: bytesOf(userId),
    userName: email,
    userDisplayName: name ?? email,
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

export type Registered = 'registered' | 'refused' | 'too_many'

/**
 * Stores a new passkey. The user's other sessions end, and this one counts as opened with both factors.
 * `refused` if the answer is wrong, late, or already used, or if the session has ended in the meantime.
 */
export async function registerPasskey(
  db: Kysely<Schema>,
  party: RelyingParty,
  {
    administrator: { id: userId },
    sessionId,
    name,
    response,
  }: Registering & { name: string; response: string },
  { now }: { now: Date },
): Promise<Registered> {
  const challenge = await spendChallenge(db, holderOf(sessionId), { now })
  const made = challenge === undefined ? undefined : await verifyNewKey(response, challenge, party)
  if (!made) return 'refused'
  const passkey = { userId, name, host: party.host, createdAt: now.toISOString(), ...made }
  return db.transaction().execute(async (trx) => {
    await lockAdministrator(trx, userId)
    if (!(await hasSession(trx, sessionId, { userId }))) return 'refused'
    if ((await listPasskeys(trx, userId)).length >= MOST_PASSKEYS) return 'too_many'
    if ((await insertPasskey(trx, passkey)) === undefined) return 'refused'
    await updateSecondFactor(trx, sessionId, 'passkey')
    await deleteSessions(trx, userId, { except: sessionId })
    return 'registered'
  })
}

type NewKey = Pick<NewPasskey, 'credentialId' | 'publicKey' | 'signCount' | 'transports'>

async function verifyNewKey(
  posted: string,
  expectedChallenge: string,
  { host, origin }: RelyingParty,
): Promise<NewKey | undefined> {
  const { data } = ATTESTATION.safeDecode(posted)
  if (!data || !(await isUnattested(data.response.attestationObject))) return undefined
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const response = { ...data, clientExtensionResults: {} } as RegistrationResponseJSON
  const expected = {
    ...{ expectedChallenge, expectedOrigin: origin, expectedRPID: host },
    supportedAlgorithmIDs: ALGORITHMS,
  }
  // The library throws on any invalid answer.
  const verified = await verifyRegistrationResponse({ response, ...expected }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { id, publicKey, counter } = verified.registrationInfo.credential
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    signCount: counter,
    transports: data.response.transports,
  }
}

// No attestation is requested: to check a certificate, the library would fetch a URL named in it.
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const decoded = decodeAttestationObject(bytesOf(attestationObject))
    return ['none', 'packed'].includes(decoded.get('fmt')) && decoded.get('attStmt').get('x5c') === undefined
  } catch {
    return false
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64url'))
}
