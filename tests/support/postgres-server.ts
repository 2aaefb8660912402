import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './database.ts'
import { skipWithout } from './needed-tool.ts'
import { freePort } from './running-site.ts'

const run = promisify(execFile)
const VERSIONS = '/usr/lib/postgresql'
const BINARIES = findBinaries()
const LISTEN = ['-c listen_addresses=127.0.0.1', '-c fsync=off', '-c unix_socket_directories=']

/** Option for `test` that skips it if the programs of a PostgreSQL server are missing. */
export const needsPostgresServer = {
  skip: skipWithout(Boolean(BINARIES), 'PostgreSQL is not installed; .ci/run installs it'),
}

/** A test's own PostgreSQL server, which it can stop, restart, or fail over. */
export interface PostgresServer {
  port: number
  url: string
  /** Drops every connection without notice, like a crash, and restarts. */
  crash(): Promise<void>
  /** Stops it like a power failure. */
  stop(): Promise<void>
  /** Starts a replica that follows this server; each commit waits for it. */
  addStandby(): Promise<PostgresServer>
  /** Promotes a standby to accept writes. */
  promote(): Promise<void>
}

/** Starts an empty server that stops when the test ends. */
export async function startPostgresServer(t: TestContext): Promise<PostgresServer> {
  const folder = await ownFolder(t)
  const pgdata = join(folder, 'data')
  const options = ['--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C.UTF-8']
  await program('initdb', ['--pgdata', pgdata, ...options, '--no-sync'])
  return serve(t, { folder, pgdata })
}

async function serve(
  t: TestContext,
  { folder, pgdata, more = [] }: { folder: string; pgdata: string; more?: string[] },
): Promise<PostgresServer> {
  const port = await freePort()
  const control = (...words: string[]) =>
    program('pg_ctl', [...words, '--pgdata', pgdata, '--log', join(folder, 'log'), '--wait'])
  const start = () => control('start', '--options', [...LISTEN, `-c port=${port}`, ...more].join(' '))
  const stop = () => control('stop', '--mode', 'immediate')
  await start()
  atEnd(t, () => stop().catch(() => {}))
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop,
    async crash() {
      await stop()
      await start()
    },
    promote: () => control('promote'),
    async addStandby() {
      const standbyFolder = await ownFolder(t)
      const standbyData = join(standbyFolder, 'data')
      const source = `host=127.0.0.1 port=${port} user=postgres application_name=standby`
      await program('pg_basebackup', [
        ...[
          '--dbname',
          source,
          '--pgdata',
          standbyData,
          '--checkpoint=fast',
          '--write-recovery-conf',
          '--no-sync',
        ],
      ])
      const standby = await serve(t, { folder: standbyFolder, pgdata: standbyData })
      const psql = ['--host=127.0.0.1', `--port=${port}`, '--username=postgres', '--quiet']
      const waits = `alter system set synchronous_standby_names = 'standby'`
      await program('psql', [...psql, '--command', waits, '--command', 'select pg_reload_conf()'])
      return standby
    },
  }
}

/** The user that the programs run as, because PostgreSQL refuses root. */
export function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function ownFolder(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t)
  const { uid, gid } = serverUser()
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  return folder
}

async function program(name: string, args: string[]): Promise<void> {
  // A starting server keeps its parent's pipes open.
  await run(join(BINARIES ?? '', name), args, { ...serverUser(), cwd: '/', timeout: 60_000 })
}

function findBinaries(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined
  const newest = readdirSync(VERSIONS)
    .map(Number)
    .sort((one, other) => other - one)
    .map((version) => join(VERSIONS, String(version), 'bin'))
  return newest.find((folder) => existsSync(join(folder, 'initdb')))
}
