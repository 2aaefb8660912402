import { readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ContentChange } from '../../src/publish/changes/change-store.ts'
import { beginPreview, finishPreview } from '../../src/publish/previews/make-preview.ts'
import { findPreview } from '../../src/publish/previews/preview-store.ts'
import type { PublishPhase } from '../../src/publish/publish-progress.ts'
import { openWarmProcess, type WarmProcess } from '../../src/publish/warm/open-warm-process.ts'
import { editTemplate } from './build/edit-template.ts'
import { editEntry, type ProjectCopy, prepareProjectCopy, publishCopy } from './build/project-copy.ts'
import { watchTree } from './process-tree.ts'
import type { Measurement } from './report.ts'

const PAGE = 'ac-repair/city-7'
const SERVICE = 'drain-cleaning'
const ROUNDS = 3
const MOST_SECONDS = 6
// Nobody asks for two previews within seconds. The process starts its helper meanwhile.
const PAUSE_MS = 12_000

interface Bench {
  copy: ProjectCopy
  dataDir: string
  warm: WarmProcess
}

/**
 * Makes preview links of a site of this many pages as the server does: of one text, of one service repeatedly, of
 * everything saved, and after a template was changed.
 */
export async function benchPreview({ pages }: { pages: number }): Promise<Measurement[]> {
  const copy = await prepareProjectCopy(pages)
  const { folder, projectDir, databaseUrl, db } = copy
  const dataDir = join(folder, 'site')
  const filePlace = { kind: 'disk' as const, folder: dataDir }
  const site = { projectDir, dataDir, siteUrl: 'https://example.com', databaseUrl, filePlace }
  await publishCopy(copy, 'full build', { dataDir: 'site', jobs: 2 })
  const warm = openWarmProcess(site)
  const bench = { copy, dataDir, warm }
  try {
    const found: Measurement[] = []
    await editEntry(copy, PAGE, { body: 'A text of its own.' })
    for (const state of ['cold', 'warm'])
      found.push(...(await measure(bench, `one text, process ${state}`, [await changeOf(copy, PAGE)])))
    for (let round = 1; round <= ROUNDS; round++) {
      await editEntry(copy, SERVICE, {
        body: `A text that all places of this service show, edition ${round}.`,
      })
      found.push(...(await measure(bench, `one service, turn ${round}`, [await changeOf(copy, SERVICE)])))
    }
    found.push(...(await measure(bench, 'everything saved', undefined)))
    await editTemplate(copy)
    found.push(...(await measure(bench, 'one template changed, all pages', undefined)))
    return found
  } finally {
    await warm.end()
    await db.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function changeOf({ db }: ProjectCopy, slug: string): Promise<ContentChange> {
  const entries = db.selectFrom('content_entries').select('id').where('slug', '=', slug)
  const { id } = await entries.executeTakeFirstOrThrow()
  return { subject: 'entry', subjectId: String(id) }
}

async function measure(
  { copy: { db }, dataDir, warm }: Bench,
  name: string,
  only: readonly ContentChange[] | undefined,
): Promise<Measurement[]> {
  await delay(PAUSE_MS)
  const now = () => new Date()
  const { signal } = new AbortController()
  const begun = await beginPreview(db, { madeBy: 'bench@example.com', only, now: now() })
  const watch = watchTree(process.pid)
  const stage = (request: Parameters<WarmProcess['preview']>[0]) => warm.preview(request, signal)
  await finishPreview(db, begun, { stage, place: { dataDir }, now })
  const { wallMs, cpuMs, waitedMs, peakBytes } = watch.end()
  const [load = 0] = loadavg()
  const preview = await findPreview(db, begun.id)
  if (!preview?.readyAt) throw new Error(`No preview of ${name}: ${preview?.failureMessage}`)
  process.stderr.write(`${name}: ${(wallMs / 1_000).toFixed(1)} s at load average ${load.toFixed(1)}\n`)
  return [
    { name, value: wallMs / 1_000, unit: 's', atMost: MOST_SECONDS },
    { name: `${name}: of that, waiting for a processor`, value: waitedMs / 1_000, unit: 's' },
    { name: `${name}: processor time`, value: cpuMs / 1_000, unit: 's' },
    ...phasesOf(dataDir, preview.readyAt).map(({ phase, seconds }) => ({
      ...{ name: `${name}: ${phase}`, value: seconds, unit: 's' },
    })),
    { name: `${name}: peak memory`, value: peakBytes / 1024 ** 2, unit: 'MiB' },
    { name: `${name}: rendered`, value: preview.pageCount, unit: 'pages' },
  ]
}

// The steps that the screen shows.
function phasesOf(dataDir: string, readyAt: string): { phase: string; seconds: number }[] {
  const text = readFileSync(join(dataDir, 'publish-progress.json'), 'utf8')
  const { phases } = JSON.parse(text) as { phases: PublishPhase[] }
  return phases.map(({ name: phase, startedAt }, index) => {
    const endedAt = phases[index + 1]?.startedAt ?? readyAt
    return { phase, seconds: (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000 }
  })
}
