import type { APIRoute } from 'astro'
import { findPasskeySite } from '#src/admin/access/passkeys/passkey-site.ts'
import { getAdministrator } from '#src/admin/kit/page-context.ts'
import { prepareRegistration } from '#src/auth/passkeys/register-passkey.ts'
import { passkeySignIn } from '#src/messages/admin/passkeys/passkeys.ts'

/** Returns the options to create a passkey for the signed-in user. */
export const POST: APIRoute = async (context) => {
  const administrator = getAdministrator(context)
  const party = findPasskeySite(context)
  const { app, session, clientAddress: address } = context.locals
  if (!party) return new Response(passkeySignIn.unsupported, { status: 404 })
  const asked = { administrator, sessionId: session.id, address }
  const options = await prepareRegistration(app.db, party, asked, { now: new Date() })
  return options ? Response.json(options) : new Response(passkeySignIn.unavailable, { status: 429 })
}
