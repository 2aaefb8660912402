import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  editEntry,
  type ProjectCopy,
  prepareProjectCopy,
  publishCopy,
  type Step,
} from './build/project-copy.ts'
import { median } from './measure.ts'
import { measureProcess } from './process-tree.ts'
import type { Measurement } from './report.ts'

// The page whose HTML becomes the layout of its service's other pages.
const SAMPLE = { place: 'city-7', region: 'state-7' }
const EDITED = 'ac-repair/city-7'
const TITLE = 'AC repair in the seventh city'
const TURNS = [1, 2, 3]
// Share of Hugo's time, at 100,000 pages.
const MOST_TIME = 0.85
const MOST_MEMORY = 0.5
const CONFIG = `baseURL = "https://example.com/"
uglyURLs = true
disableKinds = ["taxonomy", "term", "RSS", "home", "section"]
`

/**
 * Publishes the site of `build` next to Hugo (Debian's package `hugo`) and a plain `astro build` of the same pages:
 * each from scratch, in turn, three times; then with one page edited after each of three edits. Prints medians.
 * Hugo's layouts are Signpost's finished pages with only a page's own names left open, so it has no texts to render,
 * no lists to build, no links to check, and nothing to flush to disk.
 */
export async function benchHugo({ pages }: { pages: number }): Promise<Measurement[]> {
  const version = hugoVersion()
  const copy = await prepareProjectCopy(pages)
  const jobs = Math.max(2, availableParallelism())
  try {
    const publish = (name: string, dataDir: string) => publishCopy(copy, name, { dataDir, jobs })
    // The first turn makes the pages that become Hugo's layouts.
    const fulls: Step[][] = []
    for (const turn of TURNS) {
      const full = await publish('Signpost: every page', `site-${turn}`)
      const hugoDir = hugoSiteOf(copy)
      rmSync(join(hugoDir, 'public'), { recursive: true, force: true })
      const hugo = await runHugo(hugoDir, `${version}: every page`)
      fulls.push([full, hugo, await runAstro(copy, 'astro build: every page')])
    }
    const edits: Step[][] = []
    for (const turn of TURNS) {
      const title = `${TITLE}, edition ${turn}`
      await editEntry(copy, EDITED, { title })
      const edit = await publish('Signpost: one page edited', 'site-1')
      writeHugoPage(hugoSiteOf(copy), ...(EDITED.split('/') as [string, string]), title)
      edits.push([edit, await runHugo(hugoSiteOf(copy), `${version}: one page edited`)])
    }
    return [...compare(fulls), ...compare(edits)]
  } finally {
    await copy.db.destroy()
    rmSync(copy.folder, { recursive: true, force: true })
  }
}

// The medians of each participant, and how ours compare.
function compare(turns: readonly (readonly Step[])[]): Measurement[] {
  const [ours, ...others] = (turns[0] ?? []).map((_, index) =>
    medianOf(turns.map((turn) => turn[index] as Step)),
  )
  if (!ours) return []
  return [...[ours, ...others].flatMap(measurementsOf), ...others.flatMap((other) => sharesOf(ours, other))]
}

function medianOf(steps: readonly Step[]): Step {
  const [first] = steps as [Step]
  const costs = steps.map(({ cost }) => cost)
  const cost = {
    wallMs: median(costs.map(({ wallMs }) => wallMs)),
    cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
    waitedMs: median(costs.map(({ waitedMs }) => waitedMs)),
    peakBytes: median(costs.map(({ peakBytes }) => peakBytes)),
  }
  return { ...first, cost }
}

function hugoVersion(): string {
  const { stdout, error } = spawnSync('hugo', ['version'], { encoding: 'utf8' })
  if (error) throw new Error('There is no command hugo; install the package hugo')
  return `Hugo ${/v([\d.]+)/.exec(stdout)?.[1] ?? ''}`
}

// Hugo's site, made once.
function hugoSiteOf({ folder }: ProjectCopy): string {
  const services = join(siteDirOf(join(folder, 'site-1')), 'services')
  const hugoDir = join(folder, 'hugo')
  if (existsSync(hugoDir)) return hugoDir
  mkdirSync(join(hugoDir, 'layouts/_default'), { recursive: true })
  writeFileSync(join(hugoDir, 'config.toml'), CONFIG)
  // The folders besides those of services list them by area.
  const names = readdirSync(services).filter((name) =>
    existsSync(join(services, name, `${SAMPLE.place}.html`)),
  )
  for (const service of names) {
    const sample = readFileSync(join(services, service, `${SAMPLE.place}.html`), 'utf8')
    writeFileSync(join(hugoDir, `layouts/_default/${service}.html`), toLayout(sample))
    mkdirSync(join(hugoDir, 'content/services', service), { recursive: true })
    for (const file of readdirSync(join(services, service)))
      writeHugoPage(hugoDir, service, file.replace('.html', ''))
  }
  return hugoDir
}

function siteDirOf(dataDir: string): string {
  const [release = ''] = readdirSync(join(dataDir, 'releases'))
  return join(dataDir, 'releases', release, 'site')
}

function toLayout(html: string): string {
  if (html.includes('{{')) throw new Error('A page with {{ cannot be a layout of Hugo')
  const { place, region } = SAMPLE
  return html
    .replace(wordsOf(place), '{{ .Params.slug }}')
    .replace(wordsOf(nameOf(place)), '{{ .Params.place }}')
    .replace(wordsOf(region), '{{ .Params.region_slug }}')
    .replace(wordsOf(nameOf(region)), '{{ .Params.region }}')
    .replace('</main>', '{{ .Content }}</main>')
}

// Not the start of a longer number.
function wordsOf(text: string): RegExp {
  return new RegExp(`${text}(?!\\d)`, 'g')
}

function writeHugoPage(hugoDir: string, service: string, slug: string, title = `${service} in ${slug}`) {
  const region = regionOf(slug)
  const names = { place: nameOf(slug), region: nameOf(region), region_slug: region }
  const page = { title, slug, layout: service, date: '2026-11-20T10:00:00Z', ...names }
  writeFileSync(
    join(hugoDir, 'content/services', service, `${slug}.md`),
    `${JSON.stringify(page, null, 1)}\n`,
  )
}

// As in `data-set.ts`.
function regionOf(slug: string): string {
  const [kind, number = 0] = slug.split('-')
  if (kind === 'area') return `city-${Number(number) % 400}`
  return kind === 'city' ? `state-${Number(number) % 20}` : 'freedonia'
}

function nameOf(slug: string): string {
  return slug.replace('-', ' ').replace(/^./, (letter) => letter.toUpperCase())
}

async function runHugo(hugoDir: string, name: string): Promise<Step> {
  const child = spawn('hugo', ['--quiet', '--source', hugoDir], { stdio: 'inherit' })
  return measureBuild(child, { name, siteDir: join(hugoDir, 'public') })
}

async function runAstro({ folder, projectDir, databaseUrl }: ProjectCopy, name: string): Promise<Step> {
  // Inside the project, because imports are resolved from there.
  const outDir = join(projectDir, 'astro-site')
  rmSync(outDir, { recursive: true, force: true })
  const env = {
    ...process.env,
    DATA_DIR: join(folder, 'site-1'),
    DATABASE_URL: databaseUrl,
    SITE_URL: 'https://www.example.com',
    ASTRO_TELEMETRY_DISABLED: '1',
  }
  const parameters = [join(projectDir, 'node_modules/astro/bin/astro.mjs'), 'build', '--outDir', outDir]
  const child = spawn(process.execPath, parameters, {
    cwd: projectDir,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return measureBuild(child, { name, siteDir: join(outDir, 'client') })
}

async function measureBuild(
  child: ChildProcess,
  { name, siteDir }: { name: string; siteDir: string },
): Promise<Step> {
  const cost = await measureProcess(child)
  process.stderr.write(`${name}: ${(cost.wallMs / 1_000).toFixed(1)} s\n`)
  const files = readdirSync(join(siteDir, 'services'), { recursive: true })
  return { name, cost, rendered: files.filter((file) => String(file).endsWith('.html')).length }
}

function measurementsOf({ name, cost, rendered }: Step): Measurement[] {
  return [
    { name, value: cost.wallMs / 1_000, unit: 's' },
    { name: `${name}: processor time`, value: cost.cpuMs / 1_000, unit: 's' },
    { name: `${name}: peak memory`, value: cost.peakBytes / 1024 ** 2, unit: 'MiB' },
    { name: `${name}: rendered`, value: rendered, unit: 'pages' },
  ]
}

function sharesOf(ours: Step, other: Step): Measurement[] {
  const name = `${ours.name}, beside ${other.name.split(':')[0]}`
  const hasLimits = other.name === `${hugoVersion()}: every page`
  const [time, memory] = hasLimits ? [{ atMost: MOST_TIME }, { atMost: MOST_MEMORY }] : []
  return [
    { name, value: ours.cost.wallMs / other.cost.wallMs, unit: 'of its time', ...time },
    { name, value: ours.cost.peakBytes / other.cost.peakBytes, unit: 'of its memory', ...memory },
  ]
}
