import { openSecret, type SecretBox } from '../../lib/secret-box.ts'

/**
 * The secret sealed by the newest key for its place. One of an earlier version was sealed for a place without an origin.
 * What no key opens stays as it is.
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
