import type { Client } from 'pg'

const RECONNECT_MS = 5_000
const CONNECT_WITHIN_MS = 5_000
const KEEP_ALIVE_AFTER_MS = 10_000

/** A connection that listens for changes. */
export interface Listening {
  close(): Promise<void>
}

/**
 * Calls back at each `NOTIFY` on a channel of PostgreSQL, on its own connection. A connection that ends is opened again
 * after 5 seconds. Behind PgBouncer in transaction mode nothing arrives, so poll as well.
 */
export function listenTo(databaseUrl: string, channel: string, onNotice: () => void): Listening {
  let client: Client | undefined
  let retrying: NodeJS.Timeout | undefined
  let isClosed = false

  async function open() {
    const { Client } = await import('pg')
    if (isClosed) return
    const opened = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    })
    client = opened
    opened.on('error', () => {})
    opened.on('notification', onNotice)
    opened.once('end', retry)
    await opened.connect()
    await opened.query(`listen ${channel}`)
    // Something may have happened before.
    onNotice()
  }

  function retry() {
    if (isClosed) return
    clearTimeout(retrying)
    retrying = setTimeout(tryOpen, RECONNECT_MS).unref()
  }

  const tryOpen = () => void open().catch(retry)
  tryOpen()
  return {
    async close() {
      isClosed = true
      clearTimeout(retrying)
      await client?.end().catch(() => {})
      client = undefined
    },
  }
}
