import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App } from '../app.ts'
import { listenOrigin } from '../lib/listen-origin.ts'
import { logTexts } from '../messages/server/log.ts'
import { startupTexts } from '../messages/server/startup.ts'

/** Says in the log and on the terminal that the server listens, with the link to sign in or create the first account. */
export async function announceStart(
  { config, log, schemaRevision, setup }: Pick<App, 'config' | 'log' | 'schemaRevision' | 'setup'>,
  server: Server,
): Promise<void> {
  const { host } = config
  const { port } = server.address() as AddressInfo
  log.info({ host, port, schema: schemaRevision }, logTexts.listening)
  const origin = listenOrigin({ host, port })
  process.stderr.write(`${startupTexts.ready(origin)}\n`)
  const code = await setup.findCode()
  // The address in emails, where the browser then has the session and passkeys work. A free port isn't known before.
  const admin = `${config.port === 0 ? origin : config.adminUrl}/admin`
  const text = code ? startupTexts.firstAccount(`${admin}/setup?code=${code}`) : startupTexts.signIn(admin)
  process.stderr.write(`${text}\n`)
}
