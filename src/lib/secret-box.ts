import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

export interface SecretBox {
  /** Encrypts a text for one place (`form_webhooks.signing_secret.7`). The result is text: `v1.<base64url>`. */
  seal(text: string, place: string): string
  /** Decrypts the text. Throws when the key or the place is another, or a byte was changed. */
  open(sealed: string, place: string): string
  /** Seals the text with the newest key: the same ciphertext if it is sealed with it already. Throws as `open` does. */
  renew(sealed: string, place: string): string
}

/**
 * AES-256-GCM with the place as additional data, so that ciphertexts cannot be moved between rows. `key` is 32 bytes.
 */
export function createSecretBox(key: Uint8Array): SecretBox {
  const box: SecretBox = {
    seal(text, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')}`
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.slice(VERSION.length + 1), 'base64url')
      // A sealed text has one spelling: sign-ins are counted by it.
      if (bytes.length === 0 || sealed !== `${VERSION}.${bytes.toString('base64url')}`)
        throw new Error(`The secret of ${place} is not in a known form`)
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      const encrypted = bytes.subarray(IV_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
    },
    renew(sealed, place) {
      box.open(sealed, place)
      return sealed
    },
  }
  return box
}

/** Decrypts the text; undefined when there is none, or no key opens it for this place. */
export function openSecret(
  sealed: string | null | undefined,
  place: string,
  { secretBox }: { secretBox: SecretBox },
): string | undefined {
  try {
    return sealed == null ? undefined : secretBox.open(sealed, place)
  } catch {
    return undefined
  }
}

/** Seals the text with the newest key; unchanged when no key opens it for this place. */
export function renewOrKeep(sealed: string, place: string, secretBox: SecretBox): string {
  try {
    return secretBox.renew(sealed, place)
  } catch {
    return sealed
  }
}
