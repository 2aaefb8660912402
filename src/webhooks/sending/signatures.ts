import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const ENCODED_PREFIX = 'whsec_'
const ENCODED_KEY = /^[A-Za-z0-9+/]+={0,2}$/

interface SignedMessage {
  id: string
  /** Unix seconds of the attempt. */
  timestamp: number
  /** The raw body; empty for a request without one. */
  body: string | Buffer
}

/** Returns the signing key of a secret: its UTF-8 bytes, or the decoded part after `whsec_`. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(bytesOf(secret))
}

/**
 * `x-signature` (GitHub's form, by the first key) and `webhook-signature` (Standard Webhooks 1.0, one signature for
 * each key, newest first). No keys, no headers.
 */
export function signatureHeaders(keys: readonly KeyObject[], message: SignedMessage): Record<string, string> {
  const [newest] = keys
  if (newest === undefined) return {}
  return {
    'x-signature': `sha256=${createHmac('sha256', newest).update(message.body).digest('hex')}`,
    'webhook-signature': keys.map((key) => standardSignature(key, message)).join(' '),
  }
}

/** Returns whether a secret can sign: any text, or base64 of at least one byte after `whsec_`. */
export function isUsableSecret(secret: string): boolean {
  if (!secret.startsWith(ENCODED_PREFIX)) return secret !== ''
  return ENCODED_KEY.test(secret.slice(ENCODED_PREFIX.length)) && bytesOf(secret).length > 0
}

function standardSignature(key: KeyObject, { id, timestamp, body }: SignedMessage): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
  return `v1,${hmac.digest('base64')}`
}

function bytesOf(secret: string): Buffer {
  if (!secret.startsWith(ENCODED_PREFIX)) return Buffer.from(secret, 'utf8')
  return Buffer.from(secret.slice(ENCODED_PREFIX.length), 'base64')
}
