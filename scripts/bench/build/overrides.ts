import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { median } from '../measure.ts'
import type { Measurement } from '../report.ts'
import {
  bundleProject,
  editEntry,
  type ProjectCopy,
  prepareProjectCopy,
  publishCopy,
} from './project-copy.ts'

const FULL_BUILDS = 3
const EDITS = 9
const EDITED = 'ac-repair/city-7'
const MOST_SHARE_OF_EDIT = 1.1

const REPLACED = {
  'astro.config.mjs': `import { defineConfig } from 'astro/config'
import signpost from './src/integration/signpost.ts'

const components = {
  Header: './src/components/OwnHeader.astro',
  LocationPage: './src/components/OwnLocationPage.astro',
}
export default defineConfig({ integrations: [signpost({ components })] })
`,
  'src/components/OwnHeader.astro': `---
import Default from './site/SiteHeader.astro'
---

<p>Open on Saturdays in May</p>
<Default {...Astro.props} />
`,
  'src/components/OwnLocationPage.astro': `---
import Default from './partials/LocationServiceDetail.astro'
---

<Default {...Astro.props} />
<p>Call us about {Astro.props.view.detail.service.title}</p>
`,
}

/**
 * Publishes a site of this many pages with the program's components and with a replaced `Header` and `LocationPage`,
 * in turn: from scratch, then after each edit of one location. Prints medians and the share of the replaced ones.
 */
export async function benchOverrides({ pages }: { pages: number }): Promise<Measurement[]> {
  const copy = await prepareProjectCopy(pages)
  try {
    const projectDir = await bundleProject(join(copy.folder, 'replaced'), REPLACED)
    const sites = { none: copy, 'Header and LocationPage': { ...copy, projectDir } }
    const full = await inTurn(sites, FULL_BUILDS, {
      name: 'full build',
      dataDirOf: (site, turn) => `${site}-${turn}`,
    })
    const edit = await inTurn(sites, EDITS, {
      name: 'one location changed',
      dataDirOf: (site) => `${site}-1`,
      atMost: MOST_SHARE_OF_EDIT,
      before: (turn) => editEntry(copy, EDITED, { title: `AC repair, edition ${turn}` }),
    })
    return [...full, ...edit]
  } finally {
    await copy.db.destroy()
    rmSync(copy.folder, { recursive: true, force: true })
  }
}

interface Turns {
  name: string
  dataDirOf(site: string, turn: number): string
  before?(turn: number): Promise<void>
  /** Share of the processor time without replacements. */
  atMost?: number
}

async function inTurn(
  sites: Readonly<Record<string, ProjectCopy>>,
  turns: number,
  { name, dataDirOf, before, atMost }: Turns,
): Promise<Measurement[]> {
  const jobs = Math.max(2, availableParallelism())
  const steps = Object.entries(sites).map(([site, copy]) => ({
    site,
    copy,
    seconds: [] as number[],
    cpu: [] as number[],
    rendered: 0,
  }))
  for (let turn = 1; turn <= turns; turn++) {
    await before?.(turn)
    // Each goes first as often as the other, give or take one.
    for (const step of turn % 2 ? steps : steps.toReversed()) {
      const dataDir = dataDirOf(step.site, turn)
      const { cost, rendered } = await publishCopy(step.copy, `${name}, replaced: ${step.site}`, {
        dataDir,
        jobs,
      })
      step.seconds.push(cost.wallMs / 1_000)
      step.cpu.push(cost.cpuMs / 1_000)
      step.rendered = rendered
    }
  }
  const measured = steps.map(({ site, seconds, cpu, rendered }) => ({
    title: `${name}, replaced: ${site}`,
    wall: median(seconds),
    cpu: median(cpu),
    rendered,
  }))
  const [none, replaced] = measured
  return [
    ...measured.flatMap(({ title, wall, cpu, rendered }) => [
      { name: title, value: wall, unit: 's' },
      { name: `${title}: processor time`, value: cpu, unit: 's' },
      { name: `${title}: rendered`, value: rendered, unit: 'pages' },
    ]),
    ...(none && replaced
      ? [
          { name: `${name}, beside none replaced`, value: replaced.wall / none.wall, unit: 'of its time' },
          {
            name: `${name}, beside none replaced: processor time`,
            value: replaced.cpu / none.cpu,
            unit: 'of its time',
            ...(atMost !== undefined && { atMost }),
          },
        ]
      : []),
  ]
}
