import { randomBytes } from 'node:crypto'
import { isOnlyNames } from '../../lib/environment-values.ts'
import { openSecret, type SecretBox } from '../../lib/secret-box.ts'
import type { PreviousSecret, Webhook } from '../definition/webhook.ts'
import { bindSecret } from './bound-secret.ts'
import { originOf, type SecretOwner } from './webhook-origin.ts'

const SECRET_BYTES = 32
const OVERLAP_MS = 24 * 60 * 60 * 1_000

/** The secrets in a webhook's row, each encrypted for its column. */
export type SealedSecrets = Pick<Webhook, 'signingSecret' | 'previousSecrets'>

interface Sealing {
  secretBox: SecretBox
  now: Date
}

type Column = 'signing_secret' | 'previous_signing_secret'

export const NO_SECRETS: SealedSecrets = { signingSecret: null, previousSecrets: [] }

/** The place that a webhook's secret is sealed for; see `SecretBox`. */
export function signingSecretPlace(owner: SecretOwner): string {
  return placeIn('signing_secret', owner)
}

function previousSecretPlace(owner: SecretOwner): string {
  return placeIn('previous_signing_secret', owner)
}

function placeIn(column: Column, owner: SecretOwner): string {
  return `${unboundPlaceIn(column, owner)} ${originOf(owner.url)}`
}

function unboundPlaceIn(column: Column, { id }: SecretOwner): string {
  return `form_webhooks.${column}.${id}`
}

/** Returns whether a signing secret of a file is one itself: more than names of the environment, with or without `whsec_`. */
export function isLiteralSigningSecret(text: string): boolean {
  return !isOnlyNames(text.replace(/^whsec_/, ''))
}

/** Makes a secret that the libraries of Standard Webhooks verify: `whsec_` and 32 random bytes. */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/**
 * The stored secrets after the secret becomes `text`: the former one signs for another 24 hours, earlier ones until
 * their own end. Unchanged if the secret is the same.
 */
export function replaceSecret(
  { owner, secrets }: { owner: SecretOwner; secrets: SealedSecrets },
  text: string,
  { secretBox, now }: Sealing,
): SealedSecrets {
  const old = openSecret(secrets.signingSecret, signingSecretPlace(owner), { secretBox })
  if (old === text) return secrets
  const signingSecret = secretBox.seal(text, signingSecretPlace(owner))
  if (old === undefined) return { ...NO_SECRETS, signingSecret }
  const replaced = {
    sealed: secretBox.seal(old, previousSecretPlace(owner)),
    until: new Date(now.getTime() + OVERLAP_MS).toISOString(),
  }
  const older = listValidPrevious(secrets, now).filter(
    ({ sealed }) => openSecret(sealed, previousSecretPlace(owner), { secretBox }) !== text,
  )
  return { signingSecret, previousSecrets: [replaced, ...older] }
}

/** The replaced secrets that sign at this moment too. */
export function listValidPrevious({ previousSecrets }: SealedSecrets, now: Date): PreviousSecret[] {
  const moment = now.toISOString()
  return previousSecrets.filter(({ until }) => moment < until)
}

/** Decrypts the secrets that a webhook signs with now, the newest first. Undefined when a secret can't be decrypted. */
export function openSecrets(webhook: Webhook, { secretBox, now }: Sealing): string[] | undefined {
  const { signingSecret } = webhook
  if (signingSecret === null) return []
  const secret = openSecret(signingSecret, signingSecretPlace(webhook), { secretBox })
  if (secret === undefined) return undefined
  const older = listValidPrevious(webhook, now).flatMap(
    ({ sealed }) => openSecret(sealed, previousSecretPlace(webhook), { secretBox }) ?? [],
  )
  return [secret, ...older]
}

/** Returns secrets that were encrypted for their webhook only, also bound to its origin. */
export function bindSecrets(
  { signingSecret, previousSecrets, ...owner }: SealedSecrets & SecretOwner,
  { secretBox }: Pick<Sealing, 'secretBox'>,
): SealedSecrets {
  const bind = (sealed: string, column: Column) => {
    const places = { place: placeIn(column, owner), unbound: unboundPlaceIn(column, owner) }
    return bindSecret(sealed, places, { secretBox })
  }
  return {
    signingSecret: signingSecret && bind(signingSecret, 'signing_secret'),
    previousSecrets: previousSecrets.map(({ sealed, until }) => ({
      sealed: bind(sealed, 'previous_signing_secret'),
      until,
    })),
  }
}
