import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'

/** A connection to a database server that can go silent: packets vanish without any notice. */
export interface DatabaseProxy {
  /** The database's address through the proxy. */
  url: string
  /** Drops all packets of open connections, and of new ones too unless `andNew` is false. */
  silence(options?: { andNew?: boolean }): void
  /** Lets new connections through; silent ones stay silent, as after a failover. */
  heal(): void
  /**
   * Drops the server's response to the next commit after a statement with this text. The server receives the commit.
   */
  loseAnswerToCommitOf(text: string): void
  /**
   * From now on, a connection that the server closes stays open for the client, as if the last packet were still on
   * its way.
   */
  delayEnds(): void
  /** Sends new connections to the server at this address. */
  pointTo(databaseUrl: string): void
  /** Returns the number of open connections. */
  openCount(): number
}

interface Connection {
  client: Socket
  server: Socket
  isSilent: boolean
  /** True if the transaction contains the statement whose commit loses its response. */
  isMarked: boolean
}

/** A TCP proxy on 127.0.0.1 in front of the database server at this address. */
export async function startDatabaseProxy(t: TestContext, databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl)
  const open = new Set<Connection>()
  let newAreSilent = false
  let areEndsDelayed = false
  let marking: string | undefined

  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    const connection = { client, server, isSilent: newAreSilent, isMarked: false }
    open.add(connection)
    client.on('data', (bytes: Buffer) => {
      if (connection.isSilent) return
      server.write(bytes)
      if (marking && bytes.includes(marking)) connection.isMarked = true
      if (!connection.isMarked || !isCommit(bytes)) return
      marking = undefined
      connection.isSilent = true
    })
    server.on('data', (bytes) => {
      if (!connection.isSilent) client.write(bytes)
    })
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(connection)
        // Closing a connection sends a packet too.
        if (socket === client || !(connection.isSilent || areEndsDelayed)) other.destroy()
      })
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  atEnd(t, () => {
    for (const { client, server } of open) for (const socket of [client, server]) socket.destroy()
    proxy.close()
  })
  const { port } = proxy.address() as AddressInfo
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    silence({ andNew = true } = {}) {
      for (const connection of open) connection.isSilent = true
      newAreSilent = andNew
    },
    heal() {
      newAreSilent = false
    },
    loseAnswerToCommitOf(text) {
      marking = text
    },
    delayEnds() {
      areEndsDelayed = true
    },
    pointTo(newUrl) {
      target = new URL(newUrl)
    },
    openCount: () => open.size,
  }
}

// A simple query, which `pg` uses for statements without parameters.
function isCommit(bytes: Buffer): boolean {
  return bytes.includes('commit\0')
}
