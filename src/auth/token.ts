import { randomBytes } from 'node:crypto'
import { sha256Hex } from '../lib/canonical-json.ts'

const TOKEN_BYTES = 32

/** Makes a token that nobody can guess. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** The hash that is stored. A token is random in all its bits: a plain hash of it cannot be turned around. */
export const hashToken = sha256Hex
