import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { keepVersion } from '#src/versions/keep-version.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { addEntry } from '../../support/small-site.ts'
import { printFigure, soakLength } from '../../support/soak.ts'

const ROUNDS = soakLength(60, 600)
const MOST = 0.1
const TEXT = 'What we do in your house, in *plain* words. '.repeat(110)

interface Cost {
  processorMs: number
  clockMs: number
}

/** Median of each time of some work. */
async function costOf(work: (round: number) => Promise<unknown>): Promise<Cost> {
  const costs: Cost[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [startedAt, usage] = [performance.now(), process.cpuUsage()]
    await work(round)
    const { user, system } = process.cpuUsage(usage)
    costs.push({ processorMs: (user + system) / 1_000, clockMs: performance.now() - startedAt })
  }
  const median = (time: keyof Cost) => costs.map((cost) => cost[time]).toSorted((a, b) => a - b)[ROUNDS >> 1]
  return { processorMs: median('processorMs') ?? Number.NaN, clockMs: median('clockMs') ?? Number.NaN }
}

test('version history takes at most a tenth of a save in the admin', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: TEXT })
  const save = async (round: number) => {
    const fields = { title: 'About', slug: 'about', status: 'published', body: `${TEXT}${round}` }
    assert.equal((await site.post(`/admin/entries/pages/${id}`, fields)).status, 303)
  }
  await save(-1)
  const saves = await costOf(save)
  assert.equal((await listVersions(db, entrySubject(id), { limit: 2 * ROUNDS })).length, ROUNDS + 2)
  // More than a save spends on it: a version has a transaction of its own here.
  const versions = await costOf((round) =>
    db.transaction().execute(async (trx) => {
      const after = { slug: 'other', title: 'Other', body: `${TEXT}${round}`, data: {}, termIds: [] }
      await keepVersion(trx, entrySubject(id + 1), { before: undefined, after }, { now: `${round}` })
    }),
  )
  const share = versions.processorMs / saves.processorMs
  const ms = ({ processorMs, clockMs }: Cost) =>
    `${processorMs.toFixed(2)} ms (${clockMs.toFixed(2)} elapsed)`
  const figure = `${(share * 100).toFixed(1)} % of the processor time: ${ms(versions)} of ${ms(saves)}`
  printFigure(t, figure)
  assert.ok(share <= MOST, figure)
})
