import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './measure.ts'
import { withNewDatabases } from './new-databases.ts'
import type { Measurement } from './report.ts'
import type { Target } from './start-server.ts'
import { measureInTurns, prepareDatabase, startPrepared } from './submit.ts'

const ROUNDS = 9
const LEAST_SHARE = 0.8
const MOST_P99_MS = 100

/**
 * Measures accepted posts per second and their latency with one server on PostgreSQL, in turn with one on SQLite. The
 * database is new, on the server at this URL, and is dropped at the end.
 */
export function benchSubmitOnPostgres(serverUrl: string): Promise<Measurement[]> {
  return withNewDatabases(serverUrl, ['submit'], async (databaseUrl) => {
    const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
    const targets: Target[] = []
    try {
      const [postgresPort = 0, sqlitePort = 0] = await freePorts(2)
      const [postgres, sqlite] = [join(folder, 'postgres'), join(folder, 'sqlite')]
      await prepareDatabase(postgres, 0, databaseUrl)
      await prepareDatabase(sqlite, 0)
      targets.push(await startPrepared('Signpost on PostgreSQL', postgres, postgresPort, databaseUrl))
      targets.push(await startPrepared('Signpost on SQLite', sqlite, sqlitePort))
      return report(await measureInTurns(targets, { rounds: ROUNDS }))
    } finally {
      for (const { process: server } of targets) server.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

function report([postgres, sqlite]: Awaited<ReturnType<typeof measureInTurns>>): Measurement[] {
  if (!postgres || !sqlite) throw new Error('Both are measured')
  return [
    ...[postgres, sqlite].flatMap(({ server, rate, p50Ms }) => [
      { name: `${server}: accepted`, value: rate, unit: 'posts/s' },
      { name: `${server}: p50`, value: p50Ms, unit: 'ms' },
    ]),
    { name: `${sqlite.server}: p99`, value: sqlite.p99Ms, unit: 'ms' },
    { name: `${postgres.server}: p99`, value: postgres.p99Ms, unit: 'ms', atMost: MOST_P99_MS },
    {
      name: 'PostgreSQL, as a share of SQLite',
      value: postgres.rate / sqlite.rate,
      unit: '×',
      atLeast: LEAST_SHARE,
    },
  ]
}
