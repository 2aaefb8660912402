import { connectDatabase } from '#src/db/connect.ts'
import { createProgress } from '#src/lib/progress.ts'
import { publishSite } from '#src/publish/publish-site.ts'

const [databaseUrl = '', dataDir = '', projectDir = '', jobs = '1', selected] = process.argv.slice(2)
const db = connectDatabase(databaseUrl)
const { kind, plan } = await publishSite(db, {
  databaseUrl,
  dataDir,
  projectDir,
  jobs: Number(jobs),
  starter: { startedBy: 'command', ...(selected && { only: JSON.parse(selected) }) },
  siteUrl: 'https://example.com',
  now: () => new Date(),
  progress: createProgress('Rendering pages'),
})
await db.destroy()
console.log(JSON.stringify({ kind, rendered: plan.added + plan.changed + plan.renderedSame }))
