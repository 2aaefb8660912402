import { randomBytes } from 'node:crypto'
import { isOnlyNames } from '../lib/environment-values.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { PreviousSecret, Webhook } from './webhook.ts'

const SECRET_BYTES = 32
const OVERLAP_MS = 24 * 60 * 60 * 1_000

/** The secrets of a webhook as its row holds them: sealed, each for its own column. */
export type SealedSecrets = Pick<Webhook, 'signingSecret' | 'previousSecrets'>

interface Sealing {
  secretBox: SecretBox
  now: Date
}

export const NO_SECRETS: SealedSecrets = { signingSecret: null, previousSecrets: [] }

/** The place that a webhook's secret is sealed for; see `SecretBox`. */
export function signingSecretPlace(webhookId: number): string {
  return `form_webhooks.signing_secret.${webhookId}`
}

function previousSecretPlace(webhookId: number): string {
  return `form_webhooks.previous_signing_secret.${webhookId}`
}

/** Whether a signing secret of a file is one itself: more than names of the environment, with or without `whsec_`. */
export function isLiteralSigningSecret(text: string): boolean {
  return !isOnlyNames(text.replace(/^whsec_/, ''))
}

/** Makes a secret that the libraries of Standard Webhooks verify: `whsec_` and 32 random bytes. */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/**
 * The stored secrets after the secret was set to `text`: the one before signs for another 24 hours, and those before it
 * to their own ends. Unchanged when it is the same secret.
 */
export function replaceSecret(
  { id, secrets }: { id: number; secrets: SealedSecrets },
  text: string,
  { secretBox, now }: Sealing,
): SealedSecrets {
  const old = openOrUndefined(secrets.signingSecret, signingSecretPlace(id), secretBox)
  if (old === text) return secrets
  const signingSecret = secretBox.seal(text, signingSecretPlace(id))
  if (old === undefined) return { ...NO_SECRETS, signingSecret }
  const replaced = {
    sealed: secretBox.seal(old, previousSecretPlace(id)),
    until: new Date(now.getTime() + OVERLAP_MS).toISOString(),
  }
  const older = listValidPrevious(secrets, now).filter(
    ({ sealed }) => openOrUndefined(sealed, previousSecretPlace(id), secretBox) !== text,
  )
  return { signingSecret, previousSecrets: [replaced, ...older] }
}

/** The replaced secrets that sign at this moment too. */
export function listValidPrevious({ previousSecrets }: SealedSecrets, now: Date): PreviousSecret[] {
  const moment = now.toISOString()
  return previousSecrets.filter(({ until }) => moment < until)
}

/** What a webhook signs with at this moment, in clear, the newest first. Throws when the secret cannot be opened. */
export function openSecrets(webhook: Webhook, { secretBox, now }: Sealing): string[] {
  const { id, signingSecret } = webhook
  if (signingSecret === null) return []
  const secret = openOrUndefined(signingSecret, signingSecretPlace(id), secretBox)
  if (secret === undefined) throw new Error('the signing secret cannot be opened with this SECRET_KEY')
  const older = listValidPrevious(webhook, now).flatMap(
    ({ sealed }) => openOrUndefined(sealed, previousSecretPlace(id), secretBox) ?? [],
  )
  return [secret, ...older]
}

function openOrUndefined(sealed: string | null, place: string, secretBox: SecretBox): string | undefined {
  if (sealed === null) return undefined
  try {
    return secretBox.open(sealed, place)
  } catch {
    return undefined
  }
}
