import type { APIRoute } from 'astro'
import { findPasskeySite, passkeyCookie } from '#src/admin/access/passkeys/passkey-site.ts'
import { preparePasskeySignIn } from '#src/auth/passkeys/passkey-sign-in.ts'
import { passkeySignIn } from '#src/messages/admin/passkeys/passkeys.ts'

/** Returns the options to sign in with a passkey, and sets the cookie with the ticket for the answer. */
export const POST: APIRoute = async (context) => {
  const party = findPasskeySite(context)
  const { app, clientAddress: address } = context.locals
  if (!party) return new Response(passkeySignIn.unsupported, { status: 404 })
  const prepared = await preparePasskeySignIn(app, party, { address }, { now: new Date() })
  if (!prepared) {
    context.locals.refused = 'sign_in_limited'
    return new Response(passkeySignIn.unavailable, { status: 429 })
  }
  passkeyCookie.set(context, prepared.ticket)
  return Response.json(prepared.options)
}
