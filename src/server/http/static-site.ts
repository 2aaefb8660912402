import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { REVALIDATE } from '../../lib/files/public-file.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { firstBuildPage, requestTexts } from '../../messages/server/requests.ts'
import { type MovedAddresses, openMovedAddresses } from '../../publish/addresses/moved-addresses.ts'
import { pageFile } from '../../publish/release/page-file.ts'
import { findCurrentRelease, listReleases, type Release } from '../../publish/release/release.ts'
import { PLAIN_PAGE_POLICY, plainPage } from '../plain-pages/plain-page.ts'
import { pageAnswer, sendAnswer, textAnswer } from './answer.ts'
import { createFileCache, readFirst } from './file-cache.ts'
import { canonicalPath, siteFiles } from './site-path.ts'
import { asFile, type StaticFile } from './static-file.ts'

const RELEASE_CHECK_MS = 100
// Files of a release that are answers, not addresses.
const ERROR_PAGES = new Set(['/404', '/410', '/500'])
/** The page that visitors see until there is a site, and the time between its requests. */
const FIRST_BUILD_PAGE = plainPage(firstBuildPage)
const FIRST_BUILD_REFRESH_SECONDS = '2'

interface StaticSiteOptions {
  dataDir: string
  log: Pick<Log, 'error'>
  /** The bundle's assets. */
  clientDir: string
  /** Returns an asset that no release has yet, for pages rendered on demand. */
  makeAsset?: (path: string) => Promise<Buffer | undefined>
  /** Served instead of the current release: what `astro build` made. */
  release?: Release | undefined
  /** Called for each page that is served, with its path. */
  onPage?: OnPage | undefined
  /** Maximum delay before a publish is noticed. */
  releaseCheckMs?: number
  /** Called before a 404: another server may show a release that has the page. */
  settle?: (() => Promise<void>) | undefined
}

type OnPage = (request: IncomingMessage, path: string) => void

export interface StaticSite {
  /** Answers a GET or HEAD from the current release, with its 404 page if the file does not exist. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** The page that says something went wrong; undefined without a release. */
  findErrorPage(): Promise<Buffer | undefined>
  /** The current release's id, for /health. */
  currentReleaseId(): string | undefined
}

/**
 * Serves the current release of `dataDir`. A request keeps the release it started with; hashed assets are also found
 * in older releases and in the bundle (`clientDir`), so that a page loaded before a publish still gets its styles.
 */
export function createStaticSite({
  dataDir,
  log,
  clientDir,
  makeAsset,
  release: builtSite,
  onPage,
  settle,
  releaseCheckMs = RELEASE_CHECK_MS,
}: StaticSiteOptions): StaticSite {
  const findRelease = builtSite ? () => builtSite : rememberRelease({ dataDir, log, checkMs: releaseCheckMs })
  const current = { find, findRelease, settle }
  const readCached = createFileCache()
  const openMoved = rememberMoved()

  async function find(path: string, release: Release | undefined): Promise<StaticFile | undefined> {
    const files = siteFiles(path)
    if (path.startsWith('/_admin/')) return readFirst(readCached, { folder: clientDir, files })
    const own = release && (await readFirst(readCached, { folder: release.siteDir, files }))
    return own ?? (files[0] && path.startsWith('/_astro/') ? findAsset(path) : undefined)
  }

  async function findAsset(path: string): Promise<StaticFile | undefined> {
    for (const older of await listReleases(dataDir)) {
      const file = await readCached(join(older.siteDir, path))
      if (file) return file
    }
    return (await readCached(join(clientDir, path))) ?? asFile(path, await makeAsset?.(path))
  }

  // An address without a page: its page has moved, is gone for good, or never was.
  async function sendElsewhere(request: IncomingMessage, response: ServerResponse, release: Release) {
    const [path, query] = splitUrl(request.url)
    const to = findMoved(release, path)
    if (to) return redirect(response, to + query)
    const status = to === null ? 410 : 404
    const page = await readCached(join(release.siteDir, pageFile(`/${status}`)))
    if (page) sendPage(response, status, page)
    else sendAnswer(response, textAnswer(status, status === 410 ? requestTexts.gone : requestTexts.notFound))
  }

  function findMoved(release: Release, path: string) {
    const moved = openMoved(release)
    const bare = path.replace(/\/+$/, '')
    const to = moved.find(bare)
    return to === undefined ? moved.find(canonicalPath(path)) : to
  }

  return {
    currentReleaseId: () => findRelease()?.id,
    async findErrorPage() {
      const release = findRelease()
      return release && (await readCached(join(release.siteDir, pageFile('/500'))))?.bytes
    },
    async serve(request, response) {
      const [path, query] = splitUrl(request.url)
      const canonical = canonicalPath(path)
      const { release, file } = await findLatest(canonical, current)
      // The admin is styled before there is a site: someone may have to fix content that fails the build.
      if (!release) return file ? sendFile(request, response, file) : askToWait(response)
      if (!file || ERROR_PAGES.has(canonical)) await sendElsewhere(request, response, release)
      else if (canonical !== path) redirect(response, canonical + query)
      else sendCounted(request, response, { file, path, onPage })
    },
  }
}

interface Current {
  find: (path: string, release: Release | undefined) => Promise<StaticFile | undefined>
  findRelease: (options?: { isFresh: boolean }) => Release | undefined
  settle: StaticSiteOptions['settle']
}

// Visitors served by several servers may briefly be ahead of this one.
async function findLatest(path: string, { find, findRelease, settle }: Current) {
  const release = findRelease()
  const file = await find(path, release)
  if (file || !release || !settle) return { release, file }
  await settle()
  const newer = findRelease({ isFresh: true })
  return newer?.id === release.id ? { release, file } : { release: newer, file: await find(path, newer) }
}

// The page's script sees the header and reports only views that no server counted.
function sendCounted(
  request: IncomingMessage,
  response: ServerResponse,
  { file, path, onPage }: { file: StaticFile; path: string; onPage: OnPage | undefined },
) {
  if (file.isPage && onPage) {
    response.setHeader('server-timing', 'counted')
    onPage(request, path)
  }
  sendFile(request, response, file)
}

function sendPage(response: ServerResponse, status: number, { bytes, policy }: StaticFile) {
  const answer = pageAnswer(status, bytes)
  sendAnswer(response, { ...answer, headers: { ...answer.headers, ...policy } })
}

function askToWait(response: ServerResponse) {
  response.setHeader('refresh', FIRST_BUILD_REFRESH_SECONDS)
  response.setHeader('retry-after', FIRST_BUILD_REFRESH_SECONDS)
  response.setHeader('content-security-policy', PLAIN_PAGE_POLICY)
  sendAnswer(response, pageAnswer(503, FIRST_BUILD_PAGE))
}

// The query starts with `?`, or is empty.
function splitUrl(url = '/'): [path: string, query: string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)]
}

function redirect(response: ServerResponse, location: string) {
  response.writeHead(301, { location, 'cache-control': REVALIDATE })
  response.end()
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, headers, policy }: StaticFile,
) {
  if (matchesEtag(request.headers['if-none-match'], headers.etag)) {
    response.writeHead(304, { etag: headers.etag, 'cache-control': headers['cache-control'], ...policy })
    response.end()
    return
  }
  response.writeHead(200, { ...headers, ...policy })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

// A list, `*`, and weak ones (a proxy that compresses makes them weak) count too (RFC 9110 §13.1.2).
function matchesEtag(sent: string | undefined, etag: string): boolean {
  return sent?.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim())) ?? false
}

// Reading a symlink for every request costs more than the rest of the request, so a publish shows up to a tenth of a
// second later. If the link can't be read, the open release is still served.
function rememberRelease({
  dataDir,
  log,
  checkMs,
}: Pick<StaticSiteOptions, 'dataDir' | 'log'> & { checkMs: number }): Current['findRelease'] {
  let release: Release | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let problem: string | undefined
  return ({ isFresh } = { isFresh: false }) => {
    const now = performance.now()
    if (!isFresh && now - checkedAt < checkMs) return release
    checkedAt = now
    try {
      release = findCurrentRelease(dataDir)
      problem = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== problem) log.error({ err: error }, logTexts.releaseMissing)
      problem = message
    }
    return release
  }
}

function rememberMoved(): (release: Release) => MovedAddresses {
  let opened: { id: string; moved: MovedAddresses } | undefined
  return (release) => {
    if (opened?.id === release.id) return opened.moved
    opened?.moved.close()
    opened = { id: release.id, moved: openMovedAddresses(release) }
    return opened.moved
  }
}
