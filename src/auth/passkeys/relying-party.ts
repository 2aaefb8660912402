/** The site as devices know it (WebAuthn §4): the host passkeys are bound to, and the only origin they work on. */
export interface RelyingParty {
  /** A host without its port, such as `www.example.com`. */
  host: string
  origin: string
}

/**
 * Returns the relying party of an admin at this origin. Undefined where browsers don't support passkeys: over
 * plain http except on localhost, and at an IP address.
 */
export function relyingPartyOf(adminUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(adminUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal) return undefined
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : { host: hostname, origin }
}
