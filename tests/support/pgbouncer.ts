import { spawn, spawnSync } from 'node:child_process'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './database.ts'
import { skipWithout } from './needed-tool.ts'
import { serverUser } from './postgres-server.ts'
import { freePort, waitFor } from './running-site.ts'

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0

/** Option for `test` that skips it if PgBouncer is missing. */
export const needsPgBouncer = {
  skip: skipWithout(isInstalled, 'pgbouncer is not installed; .ci/run installs it'),
}

/**
 * Starts a PgBouncer in transaction mode with this many connections to the database; returns its URL. Stops when the
 * test ends.
 */
export async function startPgBouncer(
  t: TestContext,
  databaseUrl: string,
  { connections }: { connections: number },
): Promise<string> {
  const { hostname, port: serverPort, pathname, username } = new URL(databaseUrl)
  const folder = temporaryFolder(t)
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  const database = `host=${hostname} port=${serverPort} user=${username}`
  const lines = [
    ...['[databases]', `${pathname.slice(1)} = ${database}`, '[pgbouncer]', 'listen_addr = 127.0.0.1'],
    ...[`listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any', 'pool_mode = transaction'],
    ...[`default_pool_size = ${connections}`, 'max_client_conn = 200'],
  ]
  await writeFile(settings, `${lines.join('\n')}\n`)
  const { uid, gid } = serverUser()
  if (uid !== undefined && gid !== undefined)
    for (const path of [folder, settings]) await chown(path, uid, gid)
  const bouncer = spawn('pgbouncer', ['--quiet', settings], { stdio: 'inherit', uid, gid })
  atEnd(t, () => bouncer.kill('SIGKILL'))
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href
  await waitFor(() => isAnswered(url) || bouncer.exitCode !== null)
  return url
}

async function isAnswered(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
