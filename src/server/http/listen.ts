import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Config } from '../../config.ts'
import { startupTexts } from '../../messages/server/startup.ts'
import { BACKLOG } from './front.ts'

export interface Listening extends Pick<Config, 'host' | 'port'>, Partial<Pick<Config, 'listenFd'>> {
  /** Setting that names the port. */
  variable: 'PORT' | 'METRICS_PORT'
}

const LISTEN_PROBLEMS: Record<string, (at: Listening) => string> = {
  EADDRINUSE: startupTexts.portInUse,
  EACCES: startupTexts.portReserved,
  EADDRNOTAVAIL: startupTexts.hostUnknown,
  ENOTFOUND: startupTexts.hostUnknown,
}

/** Listens at the configured address. If that fails, throws an error that says what to do. */
export async function listen(
  server: Server,
  { host, port, listenFd: fd, variable }: Listening,
): Promise<void> {
  server.listen(fd === undefined ? { port, host, backlog: BACKLOG } : { fd })
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const problem = LISTEN_PROBLEMS[error.code ?? '']?.({ host, port, variable })
    throw problem === undefined ? error : new Error(problem)
  })
}
