import { type RelyingParty, relyingPartyOf } from '#src/auth/passkeys/relying-party.ts'
import { passkeyTexts } from '#src/messages/admin/passkeys/passkeys.ts'
import { adminCookie, type CookieContext } from '../admin-cookie.ts'

/** The ticket of a sign-in challenge. */
export const passkeyCookie = adminCookie('passkey', { maxAgeSeconds: 5 * 60 })

/** Returns the relying party if passkeys work at this page's address, which excludes 127.0.0.1. */
export function findPasskeySite({
  locals,
  url,
}: Pick<CookieContext, 'locals' | 'url'>): RelyingParty | undefined {
  const party = relyingPartyOf(locals.app.config.adminUrl)
  return party && new URL(party.origin).host === url.host ? party : undefined
}

/** Explains why no passkey can be added at this page's address; undefined if it can. */
export function findPasskeyObstacle(context: Pick<CookieContext, 'locals' | 'url'>): string | undefined {
  if (findPasskeySite(context)) return undefined
  const { adminUrl } = context.locals.app.config
  return relyingPartyOf(adminUrl) ? passkeyTexts.openAt(`${adminUrl}/admin/account`) : passkeyTexts.needsHttps
}
