import { openSecret, type SecretBox } from '../../lib/secret-box.ts'

/**
 * Encrypts a secret with the newest key for its place. Earlier versions encrypted it without the origin. A secret that
 * no key decrypts stays unchanged.
 */
export function bindSecret(
  sealed: string,
  { place, unbound }: { place: string; unbound: string },
  { secretBox }: { secretBox: SecretBox },
): string {
  try {
    return secretBox.renew(sealed, place)
  } catch {
    const text = openSecret(sealed, unbound, { secretBox })
    return text === undefined ? sealed : secretBox.seal(text, place)
  }
}
