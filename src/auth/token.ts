import { randomBytes } from 'node:crypto'
import { sha256Hex } from '../lib/canonical-json.ts'

const TOKEN_BYTES = 32

/** Makes an unguessable token. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Returns the hash to store. A plain hash is enough, because tokens are fully random. */
export const hashToken = sha256Hex
