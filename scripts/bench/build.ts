import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Kysely } from 'kysely'
import type { Schema } from '../../src/db/schema.ts'
import { findForm, saveForm, toFormDefinition } from '../../src/forms/form-store.ts'
import { editTemplate } from './build/edit-template.ts'
import {
  editEntry,
  type ProjectCopy,
  prepareProjectCopy,
  publishCopy,
  type Step,
} from './build/project-copy.ts'
import type { Measurement } from './report.ts'

const NOW = '2026-11-21T10:00:00.000Z'

const MOST_BYTES = 1.5 * 1024 ** 3
const EDIT_SECONDS = 6
const UNCHANGED_SECONDS = 4
const EDIT_SHARE = 0.083
const TWO_PROCESSES_SHARE = 0.65
// The limits apply to sites up to this size.
const PAGES_OF_LIMITS = 100_000

/**
 * Publishes a site of this many pages from scratch with one process and with all, then after each kind of edit. Each
 * publish is a separate process, measured from start to end with everything it starts. A site beyond that size is
 * built once, with all processes, and gets one changed location, in new and in reused folders.
 */
export async function benchBuild({ pages }: { pages: number }): Promise<Measurement[]> {
  const copy = await prepareProjectCopy(pages)
  try {
    const hasLimits = pages <= PAGES_OF_LIMITS
    // Both sites stay until the end: ext4 without a journal creates files slowly for minutes after others were
    // deleted.
    const alone = hasLimits
      ? await publishCopy(copy, 'full build, 1 process', { dataDir: 'alone', jobs: 1 })
      : undefined
    const jobs = Math.max(2, availableParallelism())
    const together = await publishCopy(copy, `full build, ${jobs} processes`, { dataDir: 'site', jobs })
    const edits: Step[] = []
    for (const [name, edit] of EDITS) {
      if (!hasLimits && name !== ONE_LOCATION && name !== AGAIN) continue
      await edit(copy)
      edits.push(await publishCopy(copy, name, { dataDir: 'site', jobs }))
    }
    return report({ alone, together, edits, hasLimits })
  } finally {
    await copy.db.destroy()
    rmSync(copy.folder, { recursive: true, force: true })
  }
}

const SERVICE_TEXT = 'A text that all places of this service show.'
const NOTHING = 'nothing changed'
const ONE_LOCATION = 'one location changed'
const AGAIN = 'one location changed, in a folder that is used again'
const KEPT_RELEASES = 5
const EDITS: [name: string, edit: (copy: ProjectCopy) => unknown][] = [
  [NOTHING, () => {}],
  [ONE_LOCATION, (copy) => editEntry(copy, 'ac-repair/city-7', { title: 'AC repair in the seventh city' })],
  [AGAIN, editUntilReused],
  ['one service changed', (copy) => editEntry(copy, 'drain-cleaning', { body: SERVICE_TEXT })],
  ['one form changed', ({ db }) => editForm(db)],
  ['one template changed', editTemplate],
]

// A release reuses the folder of a discarded one.
async function editUntilReused(copy: ProjectCopy) {
  for (let edition = 1; edition <= KEPT_RELEASES; edition++) {
    await editEntry(copy, 'ac-repair/city-7', { title: `AC repair, edition ${edition}` })
    await publishCopy(copy, `edition ${edition}`, { dataDir: 'site', jobs: 1 })
  }
  await editEntry(copy, 'ac-repair/city-7', { title: 'AC repair again' })
}

async function editForm(db: Kysely<Schema>) {
  const form = await findForm(db, 'quote')
  if (!form) throw new Error('The example content has no form "quote"')
  await saveForm(
    db,
    'quote',
    { ...toFormDefinition(form), description: 'Another description.' },
    { now: NOW },
  )
}

interface Steps {
  alone: Step | undefined
  together: Step
  edits: readonly Step[]
  hasLimits: boolean
}

function report({ alone, together, edits, hasLimits }: Steps): Measurement[] {
  const steps = [...(alone ? [alone] : []), together, ...edits]
  const limits = new Map([
    [NOTHING, UNCHANGED_SECONDS],
    [ONE_LOCATION, EDIT_SECONDS],
  ])
  return [
    ...steps.flatMap((step) => measurementsOf(step, hasLimits ? limits.get(step.name) : undefined)),
    ...(alone ? [shareOf(together, alone, TWO_PROCESSES_SHARE)] : []),
    ...edits.filter(({ name }) => name === ONE_LOCATION).map((edit) => shareOf(edit, together, EDIT_SHARE)),
    {
      name: 'peak memory of all processes',
      value: Math.max(...steps.map(({ cost }) => cost.peakBytes)) / 1024 ** 2,
      unit: 'MiB',
      ...(hasLimits && { atMost: MOST_BYTES / 1024 ** 2 }),
    },
  ]
}

function shareOf(step: Step, whole: Step, atMost: number): Measurement {
  return {
    name: `${step.name}, beside: ${whole.name}`,
    value: step.cost.wallMs / whole.cost.wallMs,
    unit: 'of its time',
    atMost,
  }
}

function measurementsOf({ name, cost, rendered }: Step, atMost: number | undefined): Measurement[] {
  const seconds = cost.wallMs / 1_000
  return [
    { name, value: seconds, unit: 's', ...(atMost !== undefined && { atMost }) },
    { name: `${name}: processor time`, value: cost.cpuMs / 1_000, unit: 's' },
    { name: `${name}: peak memory`, value: cost.peakBytes / 1024 ** 2, unit: 'MiB' },
    { name: `${name}: rendered`, value: rendered, unit: 'pages' },
    { name: `${name}: rate`, value: rendered / seconds, unit: 'pages/s' },
  ]
}
