import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import { CHALLENGE_MS, makeChallenge, spendChallenge } from './challenges.ts'
import type { StoredPasskey } from './passkey.ts'
import { findPasskey, findPasskeyUserId } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

const encoded = z.string().regex(/^[\w-]+$/)
const ASSERTION = jsonColumn(
  z.object({
    id: encoded.max(1_400),
    rawId: encoded.max(1_400),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: encoded.max(8_000),
      authenticatorData: encoded.max(8_000),
      signature: encoded.max(8_000),
      userHandle: encoded.max(200).nullish(),
    }),
  }),
)

/** Returns the options for signing in with a passkey: one of `allowed`, or any that the browser has for this site. */
export async function prepareCheck(
  db: Db,
  party: RelyingParty,
  { holder, address, allowed = [] }: { holder: string; address: string; allowed?: readonly StoredPasskey[] },
  { now }: { now: Date },
) {
  const challenge = await makeChallenge(db, { holder, address }, { now })
  if (challenge === undefined) return undefined
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    rpID: party.host,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(({ credentialId: id, transports }) => ({ id, transports })),
  })
}

/** A passkey whose device verified its user and signed the challenge. Record the use with `updateUse`. */
export interface CheckedPasskey {
  passkey: StoredPasskey
  signCount: number
}

/** Returns the credential named in the answer, which proves nothing yet; undefined if the answer is malformed. */
export function credentialOf(posted: string): string | undefined {
  return ASSERTION.safeDecode(posted).data?.id
}

/**
 * Checks a device's answer to the challenge of `holder`, which is then used up. Undefined if the challenge,
 * origin, or signature is wrong, or if the device didn't verify its user.
 */
export async function checkPasskey(
  db: Db,
  { host, origin }: RelyingParty,
  { holder, response: posted }: { holder: string; response: string },
  { now }: { now: Date },
): Promise<CheckedPasskey | undefined> {
  const expectedChallenge = await spendChallenge(db, holder, { now })
  const { data } = ASSERTION.safeDecode(posted)
  const passkey = data && (await findPasskey(db, data.id))
  if (expectedChallenge === undefined || !data || !passkey) return undefined
  const { userHandle, ...signed } = data.response
  if (userHandle && userHandle !== (await findPasskeyUserId(db, passkey.userId))) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  // The library throws on any invalid answer. The counter is compared when the use is recorded, which works
  // across servers.
  const verified = await verifyAuthenticationResponse({
    response: { ...data, response: signed, clientExtensionResults: {} } as AuthenticationResponseJSON,
    ...{ expectedChallenge, expectedOrigin: origin, expectedRPID: host, requireUserVerification: true },
    credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: 0 },
  }).catch(() => undefined)
  return verified?.verified ? { passkey, signCount: verified.authenticationInfo.newCounter } : undefined
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64url'))
}
