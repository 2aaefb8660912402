import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  editEntry,
  type ProjectCopy,
  prepareProjectCopy,
  publishCopy,
  type Step,
} from './build/project-copy.ts'
import { measureProcess } from './process-tree.ts'
import type { Measurement } from './report.ts'

// The page whose HTML is made the layout of its service's other pages.
const SAMPLE = { place: 'city-7', region: 'state-7' }
const EDITED = 'ac-repair/city-7'
const TITLE = 'AC repair in the seventh city'
const CONFIG = `baseURL = "https://example.com/"
uglyURLs = true
disableKinds = ["taxonomy", "term", "RSS", "home", "section"]
`

/**
 * Publishes the site of `build` beside Hugo (Debian's package `hugo`), from nothing and after one page was edited. Hugo's
 * layouts are the finished pages of Signpost with nothing but a page's own names left open: it has no texts to render, no
 * lists to put together, no links to check and nothing to bring to disk.
 */
export async function benchHugo({ pages }: { pages: number }): Promise<Measurement[]> {
  const version = hugoVersion()
  const copy = await prepareProjectCopy(pages)
  const jobs = Math.max(2, availableParallelism())
  const publish = (name: string) => publishCopy(copy, name, { dataDir: 'site', jobs })
  try {
    const full = await publish('Signpost: every page')
    const hugoDir = writeHugoSite(copy)
    const hugoFull = await runHugo(hugoDir, `${version}: every page`)
    await editEntry(copy, EDITED, { title: TITLE })
    const edit = await publish('Signpost: one page edited')
    writeHugoPage(hugoDir, ...(EDITED.split('/') as [string, string]), TITLE)
    const hugoEdit = await runHugo(hugoDir, `${version}: one page edited`)
    return [
      ...[full, hugoFull, edit, hugoEdit].flatMap(measurementsOf),
      shareOf(full, hugoFull),
      shareOf(edit, hugoEdit),
    ]
  } finally {
    await copy.db.destroy()
    rmSync(copy.folder, { recursive: true, force: true })
  }
}

function hugoVersion(): string {
  const { stdout, error } = spawnSync('hugo', ['version'], { encoding: 'utf8' })
  if (error) throw new Error('There is no command hugo; install the package hugo')
  return `Hugo ${/v([\d.]+)/.exec(stdout)?.[1] ?? ''}`
}

function writeHugoSite({ folder }: ProjectCopy): string {
  const services = join(siteDirOf(join(folder, 'site')), 'services')
  const hugoDir = join(folder, 'hugo')
  mkdirSync(join(hugoDir, 'layouts/_default'), { recursive: true })
  writeFileSync(join(hugoDir, 'config.toml'), CONFIG)
  for (const { name: service } of readdirSync(services, { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  )) {
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

// Not the first part of a longer number.
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
  const cost = await measureProcess(spawn('hugo', ['--quiet', '--source', hugoDir], { stdio: 'inherit' }))
  process.stderr.write(`${name}: ${(cost.wallMs / 1_000).toFixed(1)} s\n`)
  const services = join(hugoDir, 'public/services')
  const rendered = readdirSync(services, { recursive: true }).filter((file) =>
    String(file).endsWith('.html'),
  ).length
  return { name, cost, rendered }
}

function measurementsOf({ name, cost, rendered }: Step): Measurement[] {
  return [
    { name, value: cost.wallMs / 1_000, unit: 's' },
    { name: `${name}: processor time`, value: cost.cpuMs / 1_000, unit: 's' },
    { name: `${name}: peak memory`, value: cost.peakBytes / 1024 ** 2, unit: 'MiB' },
    { name: `${name}: rendered`, value: rendered, unit: 'pages' },
  ]
}

function shareOf(ours: Step, hugos: Step): Measurement {
  const name = `${ours.name}, beside ${hugos.name.split(':')[0]}`
  return { name, value: ours.cost.wallMs / hugos.cost.wallMs, unit: 'of its time', atMost: 1 }
}
