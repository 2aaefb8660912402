import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

// OWASP's smallest setting for argon2id. A hash needs 19 MiB while it runs, so at most two run at a time.
const MEMORY_KIB = 19_456
const PASSES = 2
const PARALLELISM = 1
const SALT_BYTES = 16
const TAG_BYTES = 32
const AT_A_TIME = 2
const MOST_UNITS = 1_000

const derive = promisify(argon2)
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** A hash as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const tag = await inTurn(() => deriveTag(password, { nonce }))
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(nonce)}$${unpadded(tag)}`
}

/** Returns whether the password matches the hash. Without a hash it returns false after the same time. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt, expected] = FORM.exec(hash ?? NO_HASH) ?? []
  if (!salt || !expected) throw new Error('A stored password hash is not in a known form')
  const settings = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const nonce = Buffer.from(salt, 'base64')
  const tag = await inTurn(() => deriveTag(password, { nonce, ...settings }))
  return timingSafeEqual(tag, Buffer.from(expected, 'base64')) && hash !== null
}

function deriveTag(
  password: string,
  {
    nonce,
    memory = MEMORY_KIB,
    passes = PASSES,
    parallelism = PARALLELISM,
  }: { nonce: Buffer; memory?: number; passes?: number; parallelism?: number },
): Promise<Buffer> {
  // The same accented characters can be typed in several ways, so passwords are normalized. Longer input is
  // never a password, and normalizing thousands of accents takes seconds.
  const message = password.slice(0, MOST_UNITS).normalize('NFC')
  return derive('argon2id', { message, nonce, memory, passes, parallelism, tagLength: TAG_BYTES })
}

const waiting: (() => void)[] = []
let running = 0

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const NO_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${'A'.repeat(22)}$${'A'.repeat(43)}`
