import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { withFileLock } from '../../db/file-lock.ts'
import { Failure } from '../../lib/messages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import { hasOwnPages } from '../../site/own-pages/own-files.ts'
import type { Page } from '../../site/pages/page.ts'
import { bundleFingerprint, templateFingerprint } from '../plan/template-fingerprint.ts'
import type { OwnRenderer } from './own-share.ts'
import { processWatch, type RenderWatch } from './render-watch.ts'
import { namingPlaces } from './source-place.ts'
import { readTemplateParts } from './template-parts.ts'
import { isWholeFolder, recordFiles } from './whole-folder.ts'

const KEPT_BUNDLES = 5
const FINGERPRINT = 'template-fingerprint'
// A build takes seconds, or up to a minute on a busy machine. Node may hang at the end, waiting for its own threads.
const BUILD_DEADLINE_MS = 300_000
const OWN_PAGES = 'own-pages'

/** The templates of site and admin, built by `astro build` once per state of the sources. */
export interface Bundle {
  /** Hash of everything that determines the HTML of every public page. */
  fingerprint: string
  /** Hashes of the site's own files that affect only some pages: see `TemplateParts`. */
  parts: Readonly<Record<string, string>>
  folder: string
  /** Styles, scripts, and pictures used by pages, to be served under `/`. */
  clientDir: string
  /** True if the site has pages in its own `src/pages`. */
  hasOwnPages: boolean
}

/** Renders a page and adds the components it shows to `shown`. */
export type RenderPage = (page: Page, shown?: Set<string>) => Promise<string>

export interface Templates extends OwnRenderer {
  renderPage: RenderPage
}

/** Answers a request to the admin. `locals` are `App.Locals`, which nothing below the pages knows. */
export type AnswerAdmin = (request: Request, locals: object) => Promise<Response>

/** Returns the folder of the current sources' bundle, which may not exist yet. */
export async function locateBundle(projectDir: string): Promise<Pick<Bundle, 'folder' | 'clientDir'>> {
  const folder = join(projectDir, 'dist', await bundleFingerprint(projectDir))
  return { folder, clientDir: join(folder, 'client') }
}

/** Returns the same bundle, building it first if needed (some seconds). Throws with Astro's output if that fails. */
export async function ensureBundle(projectDir: string): Promise<Bundle> {
  const { folder, clientDir } = await locateBundle(projectDir)
  if (!(await isWholeFolder(folder))) {
    await withFileLock(`${folder}.lock`, async () => {
      if (!(await isWholeFolder(folder))) await buildBundle(projectDir, folder)
    })
  }
  return openBundle({ folder, clientDir })
}

/** Returns the bundle in that folder of `dist`, whatever the sources are now; undefined if it is incomplete. */
export async function findBundle(projectDir: string, name: string): Promise<Bundle | undefined> {
  const folder = join(projectDir, 'dist', name)
  return (await isWholeFolder(folder)) ? openBundle({ folder, clientDir: join(folder, 'client') }) : undefined
}

async function openBundle(place: Pick<Bundle, 'folder' | 'clientDir'>): Promise<Bundle> {
  const { folder } = place
  const hasOwnPages = existsSync(join(folder, OWN_PAGES))
  const { parts } = readTemplateParts(folder)
  return { ...place, parts, hasOwnPages, fingerprint: await readFile(join(folder, FINGERPRINT), 'utf8') }
}

/** Loads the templates (a few tenths of a second) and returns the renderer. */
export async function loadRenderer({ folder }: Pick<Bundle, 'folder'>): Promise<RenderPage> {
  return (await loadEntry(folder)).renderPage
}

/**
 * Returns the same, and the renderer of the site's own pages. Each page that takes too long fails, which a server can't
 * afford to watch: it renders several at once.
 */
export async function loadTemplates(
  { folder }: Pick<Bundle, 'folder'>,
  watch: RenderWatch = processWatch,
): Promise<Templates> {
  const { renderPage, listOwnPages, renderOwnPage } = await loadEntry(folder)
  return {
    renderPage: (page, shown) => watch.during(folder, () => renderPage(page, shown)),
    listOwnPages: () => watch.during(folder, listOwnPages),
    renderOwnPage: (page, siteUrl) => watch.during(folder, () => renderOwnPage(page, siteUrl)),
  }
}

/** Returns the same for the admin's pages. */
export async function loadAdmin({ folder }: Bundle): Promise<AnswerAdmin> {
  return (await loadEntry(folder)).answerAdmin
}

// The exports of src/server/bundle-entry.ts, whose failures name the site's own source.
async function loadEntry(folder: string): Promise<Templates & { answerAdmin: AnswerAdmin }> {
  const file = pathToFileURL(join(folder, 'server', 'entry.mjs')).href
  const entry: Templates & { answerAdmin: AnswerAdmin } = await namingPlaces(folder, () => import(file))
  return {
    renderPage: (page, shown) => namingPlaces(folder, () => entry.renderPage(page, shown)),
    listOwnPages: () => namingPlaces(folder, () => entry.listOwnPages()),
    renderOwnPage: (page, siteUrl) => namingPlaces(folder, () => entry.renderOwnPage(page, siteUrl)),
    answerAdmin: entry.answerAdmin,
  }
}

async function buildBundle(projectDir: string, folder: string) {
  const unfinished = `${folder}.tmp`
  await rm(unfinished, { recursive: true, force: true })
  await runAstroBuild(projectDir, unfinished)
  const assetNames = await readdir(join(unfinished, 'client', '_astro'))
  const own = readTemplateParts(unfinished)
  const fingerprint = await templateFingerprint(projectDir, { assetNames, ...own })
  await writeFile(join(unfinished, FINGERPRINT), fingerprint)
  if (hasOwnPages(projectDir)) await writeFile(join(unfinished, OWN_PAGES), '')
  await recordFiles(unfinished)
  // An incomplete bundle is removed.
  await rm(folder, { recursive: true, force: true })
  await rename(unfinished, folder)
  await removeOldBundles(join(projectDir, 'dist'))
}

function runAstroBuild(projectDir: string, outDir: string): Promise<void> {
  const astro = fileURLToPath(new URL('bin/astro.mjs', import.meta.resolve('astro/package.json')))
  const env = { ...process.env, BUNDLE_DIR: outDir, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  const child = spawn(process.execPath, [astro, 'build', '--outDir', outDir], {
    ...{ cwd: projectDir, env },
    ...{ timeout: BUILD_DEADLINE_MS, killSignal: 'SIGKILL' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Failure(publishFailures, 'buildFailed', output)),
    )
  })
}

// A running server may still load parts of an earlier bundle, so the last few stay.
async function removeOldBundles(dist: string) {
  const names = (await readdir(dist)).filter((name) => /^[0-9a-f]{16}$/.test(name))
  const dated = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(dist, name))).mtimeMs })),
  )
  dated.sort((a, b) => b.time - a.time)
  await Promise.all(
    dated.slice(KEPT_BUNDLES).map(({ name }) => rm(join(dist, name), { recursive: true, force: true })),
  )
}
