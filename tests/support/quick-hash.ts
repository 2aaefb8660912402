import { argon2Sync, randomBytes } from 'node:crypto'

const SETTINGS = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }

/** Hashes a password at the lowest cost, because checking it takes as much time as its hash specifies. */
export function quickHash(password: string): string {
  const nonce = randomBytes(16)
  const tag = argon2Sync('argon2id', { message: password, nonce, ...SETTINGS })
  return `$argon2id$v=19$m=8,t=1,p=1$${inPhc(nonce)}$${inPhc(tag)}`
}

const inPhc = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
