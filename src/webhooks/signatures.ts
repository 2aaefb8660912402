import { createHmac } from 'node:crypto'

const ENCODED_PREFIX = 'whsec_'
const ENCODED_KEY = /^[A-Za-z0-9+/]+={0,2}$/

interface SignedMessage {
  id: string
  /** Unix seconds of the attempt. */
  timestamp: number
  /** The raw body; empty for a request without one. */
  body: string
}

/**
 * `x-signature` (GitHub's form, by the first secret) and `webhook-signature` (Standard Webhooks 1.0, one signature for
 * each secret, newest first). No secrets, no headers.
 */
export function signatureHeaders(secrets: readonly string[], message: SignedMessage): Record<string, string> {
  const [newest] = secrets
  if (newest === undefined) return {}
  return {
    'x-signature': `sha256=${hmac(newest, message.body).toString('hex')}`,
    'webhook-signature': secrets.map((secret) => standardSignature(secret, message)).join(' '),
  }
}

/** Whether a secret can sign: any text, or base64 of at least one byte after `whsec_`. */
export function isUsableSecret(secret: string): boolean {
  if (!secret.startsWith(ENCODED_PREFIX)) return secret !== ''
  return ENCODED_KEY.test(secret.slice(ENCODED_PREFIX.length)) && keyOf(secret).length > 0
}

function standardSignature(secret: string, { id, timestamp, body }: SignedMessage): string {
  return `v1,${hmac(secret, `${id}.${timestamp}.${body}`).toString('base64')}`
}

function hmac(secret: string, text: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(text, 'utf8').digest()
}

function keyOf(secret: string): Buffer {
  if (!secret.startsWith(ENCODED_PREFIX)) return Buffer.from(secret, 'utf8')
  return Buffer.from(secret.slice(ENCODED_PREFIX.length), 'base64')
}
