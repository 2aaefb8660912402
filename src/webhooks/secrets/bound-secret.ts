import type { SecretBox } from '../../lib/secret-box.ts'

interface Opening {
  secretBox: SecretBox
}

/** The text of a secret, undefined when there is none or it was not sealed for this place with this key. */
export function openSecret(sealed: string | null, place: string, { secretBox }: Opening): string | undefined {
  if (sealed === null) return undefined
  try {
    return secretBox.open(sealed, place)
  } catch {
    return undefined
  }
}

/**
 * The secret sealed by the newest key for its place. One of an earlier version was sealed for a place without an origin.
 * What no key opens stays as it is.
 */
export function bindSecret(
  sealed: string,
  { place, unbound }: { place: string; unbound: string },
  { secretBox }: Opening,
): string {
  try {
    return secretBox.renew(sealed, place)
  } catch {
    const text = openSecret(sealed, unbound, { secretBox })
    return text === undefined ? sealed : secretBox.seal(text, place)
  }
}
