import type { TestContext } from 'node:test'
import { connectDatabase } from '#src/db/connect.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { askServer } from '#src/publish/warm/command-socket.ts'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './database.ts'
import { aPartOfTheExample } from './part-of-example.ts'
import { postgresDatabase } from './postgres-database.ts'
import { freePort, PROJECT_DIR, runScript, startSite } from './running-site.ts'
import { startS3 } from './s3-server.ts'

/**
 * Servers of one site, which share PostgreSQL, a bucket, and the secret key; each has its own folders. Unless it
 * `isMigrated`, the first one migrates the database.
 */
export async function startSharedSite(t: TestContext, { isMigrated = true } = {}) {
  const database = await postgresDatabase(t, { isMigrated })
  const client = await database.connect()
  const db = connectDatabase(database.url, { maxConnections: 1 })
  atEnd(t, () => db.destroy())
  const s3 = await startS3(t)
  const ports = [await freePort(), await freePort(), await freePort()]
  const siteUrl = `http://127.0.0.1:${ports[0]}`
  const environment = {
    ...s3.environment,
    ...{
      DATABASE_URL: database.url,
      SITE_URL: siteUrl,
      SECRET_KEY: Buffer.alloc(32, 'shared').toString('base64'),
      BACKUP_KEEP: '0',
    },
  }

  /** Starts one, or restarts the one that had this folder. */
  async function start({
    dataDir = temporaryFolder(t),
    contentDir = aPartOfTheExample(t),
    programDir = PROJECT_DIR,
  } = {}) {
    const port = ports.pop() ?? (await freePort())
    const site = await startSite(t, { dataDir, contentDir, port, programDir, environment })
    const place = { projectDir: programDir, dataDir, siteUrl, databaseUrl: database.url }
    return {
      ...site,
      dataDir,
      contentDir,
      read: async (path: string) => (await fetch(site.url + path)).text(),
      health: async () => (await fetch(`${site.url}/health`)).json() as Promise<{ release: string }>,
      publish: () => askServer(place, { startedBy: 'command' }, silentProgress),
    }
  }

  /** Gives an entry another title. */
  async function setTitle(slug: string, title: string) {
    await client.query('update content_entries set title = $1 where slug = $2', [title, slug])
  }

  /** Counts the starts that synced and published. */
  async function countStarts(): Promise<number> {
    const { rows } = await client.query(
      `select count(*)::int as count from publishes where started_by = 'start' and status in ('published', 'unchanged')`,
    )
    return rows[0].count
  }

  /** Runs `npm run rollback` on a server. */
  const rollBack = ({ dataDir }: { dataDir: string }) => runScript('rollback.ts', { dataDir, environment })

  return {
    start,
    setTitle,
    countStarts,
    rollBack,
    client,
    db,
    s3,
    environment,
    siteUrl,
    databaseUrl: database.url,
  }
}
