import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Config } from '../../config.ts'
import { BACKLOG } from './front.ts'

export interface Listening extends Pick<Config, 'host' | 'port'>, Partial<Pick<Config, 'listenFd'>> {
  /** What says which port. */
  variable: 'PORT' | 'METRICS_PORT'
}

const LISTEN_PROBLEMS: Record<string, (at: Listening) => Error> = {
  EADDRINUSE: ({ host, port, variable }) =>
    new Error(`Port ${port} on ${host} is taken; stop what uses it, or set ${variable} to another`),
  EACCES: ({ port, variable }) =>
    new Error(`Port ${port} is not for ordinary users; set ${variable} to one above 1023`),
  EADDRNOTAVAIL: noSuchHost,
  ENOTFOUND: noSuchHost,
}

/** Listens where the configuration says. Throws with what to do when that is not possible. */
export async function listen(
  server: Server,
  { host, port, listenFd: fd, variable }: Listening,
): Promise<void> {
  server.listen(fd === undefined ? { port, host, backlog: BACKLOG } : { fd })
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw LISTEN_PROBLEMS[error.code ?? '']?.({ host, port, variable }) ?? error
  })
}

function noSuchHost({ host }: Pick<Config, 'host'>) {
  return new Error(`HOST is "${host}", which is no address of this machine; expected one such as 127.0.0.1`)
}
