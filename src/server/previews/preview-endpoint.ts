import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { App } from '../../app.ts'
import { hashToken } from '../../auth/token.ts'
import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import { findThumbnail, THUMBNAIL_WIDTHS, thumbnailsFolder } from '../../pictures/thumbnails.ts'
import { readLaterList } from '../../publish/previews/changed-pages.ts'
import { type KnownPreview, readPreviewStates } from '../../publish/previews/make-preview.ts'
import { type PreviewFiles, previewFolder } from '../../publish/previews/preview-folder.ts'
import { findOpenPreview, type Preview } from '../../publish/previews/preview-store.ts'
import { findCurrentRelease } from '../../publish/release/release.ts'
import { findSavedSiteSettings } from '../../site/settings/site-settings-store.ts'
import { pageAnswer, sendAnswer } from '../http/answer.ts'
import { siteFile } from '../http/site-path.ts'
import { comparePage } from './compare-page.ts'
import { overviewPage } from './overview-page.ts'
import { makingPage, PREVIEW_POLICY, saidPage } from './preview-document.ts'
import { receiveAnswer } from './receive-answer.ts'
import type { ShownPreview } from './response.ts'
import { findShown, keepLinks, type Side, shownPolicy } from './shown-file.ts'

/** Path of preview links. */
const PREVIEWS_PATH = '/api/previews/'

type View = Side | 'compare' | 'pictures'

const ADDRESS = /^\/api\/previews\/([\w-]{43})(?:\/(old|new|compare|pictures))?(\/[^?]*)?(?:\?(.*))?$/

// Another site must not learn the token; without any referrer, browsers would not say where the approval comes from.
const HEADERS = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'same-origin',
}

/** Returns whether this is the address of a preview. */
export function isPreview({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(PREVIEWS_PATH)
}

/** Shows the next site to people with a link, and takes their answers. */
export function createPreviewEndpoint(
  app: Pick<App, 'answerMails' | 'log' | 'pictureFiles'> & Showing,
  { clientDir }: { clientDir: string },
) {
  const { config, publishing } = app
  const { dataDir, siteUrl } = config

  async function receive(
    request: IncomingMessage,
    response: ServerResponse,
    { preview, base }: { preview: Preview; base: string },
  ) {
    const received = await receiveAnswer(app, request, preview)
    if (received === 'aborted') return void response.destroy()
    if (received.kind === 'problem')
      return showOverview(app, response, { preview, base, list: 1, problem: received.text })
    response.writeHead(303, { ...HEADERS, location: `${base}?sent=${received.answer}` }).end()
  }

  async function show(
    response: ServerResponse,
    preview: Preview,
    { side, path, base }: { side: Side; path: string; base: string },
  ) {
    if (side === 'new') await publishing.bringPreview(filesOf(preview))
    const file = await findShown(preview, { side, path }, { dataDir, clientDir })
    if (!file) return sendPage(response, 404, saidPage(texts.notFound, texts.notFoundText))
    const body = file.isPage ? keepLinks(file.bytes.toString(), `${base}/${side}`) : file.bytes
    const policy = { 'content-security-policy': shownPolicy(file, siteUrl) }
    // The page's script doesn't report views already counted, and these don't count.
    const counted = file.isPage ? { 'server-timing': 'counted' } : {}
    const headers = { 'content-type': file.headers['content-type'], ...HEADERS, ...policy, ...counted }
    sendAnswer(response, { status: 200, headers, body })
  }

  function showPart(
    response: ServerResponse,
    preview: Preview,
    { view, path, query, base }: { view: View; path: string; query: string | undefined; base: string },
  ) {
    if (view === 'compare') return compare(app, response, { preview, page: readQuery(query, 'page'), base })
    if (view === 'pictures') return showPicture(app, response, { preview, sha256: path.slice(1) })
    return show(response, preview, { side: view, path, base })
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { token, view, path, query } = readAddress(request.url)
    const { preview, isReady } = await findFresh(app, token, view)
    if (!preview || !isReady) return sendUnready(response, preview)
    const base = PREVIEWS_PATH + token
    if (view) return showPart(response, preview, { view, path, query, base })
    if (path !== '/') return sendPage(response, 404, saidPage(texts.notFound, texts.notFoundText))
    if (request.method === 'POST') return receive(request, response, { preview, base })
    const list = Math.trunc(Number(readQuery(query, 'list'))) || 1
    return showOverview(app, response, { preview, base, list, sent: readQuery(query, 'sent') })
  }
}

type Showing = Pick<App, 'db' | 'config' | 'publishing' | 'siteLocale'>

// A reviewer sees the pages as a publish would make them now.
async function findFresh(
  { db, publishing: { previews } }: Pick<Showing, 'db' | 'publishing'>,
  token: string,
  view: View | undefined,
): Promise<{ preview: Preview | undefined; isReady: boolean }> {
  const found = await findOpenPreview(db, hashToken(token), { now: new Date() })
  const canRespond = view === undefined || view === 'compare'
  const [preview] = found && canRespond ? await previews.refresh([found]) : [found]
  const isRefreshing = canRespond && found !== undefined && previews.isRefreshing(found.id)
  return { preview, isReady: Boolean(preview?.readyAt) && !isRefreshing }
}

function filesOf({ tokenSha256: key, releaseId }: Preview): PreviewFiles {
  return { key, releaseId }
}

async function showOverview(
  app: Showing,
  response: ServerResponse,
  {
    preview,
    base,
    ...asked
  }: { preview: Preview; base: string; list: number; problem?: string; sent?: string },
) {
  const { db, publishing, config } = app
  const { list, problem } = asked
  if (list !== 1) await publishing.bringPreview(filesOf(preview))
  const folder = previewFolder(config.dataDir, filesOf(preview))
  const live = findCurrentRelease(config.dataDir)?.siteDir
  const pages = list === 1 ? preview.changes : await readLaterList(folder, list, live)
  if (!pages) return sendPage(response, 404, saidPage(texts.notFound, texts.notFoundText))
  const site = (await findSavedSiteSettings(db))?.name
  const shown = await knownPreview(app, { preview, base })
  sendPage(response, problem === undefined ? 200 : 422, overviewPage({ ...shown, ...asked, pages, site }))
}

async function knownPreview(
  { db, config: { dataDir }, siteLocale }: Showing,
  { preview, base }: { preview: Preview; base: string },
): Promise<ShownPreview> {
  const [known] = await readPreviewStates(db, [preview], { dataDir, now: new Date() })
  return { ...(known as KnownPreview), base, timeZone: siteLocale.current().timeZone }
}

// Only pictures of the edits, so that the link shows no others.
async function showPicture(
  { db, config, pictureFiles: files }: Pick<App, 'db' | 'config' | 'pictureFiles'>,
  response: ServerResponse,
  { preview, sha256 }: { preview: Preview; sha256: string },
) {
  const parts = preview.edits.flatMap(({ fields }) => fields.flatMap((field) => field.parts))
  const isShown = parts.some(({ picture }) => picture?.sha256 === sha256)
  const wanted = { sha256, width: Math.min(...THUMBNAIL_WIDTHS) }
  const folder = thumbnailsFolder(config.dataDir)
  const file = isShown ? await findThumbnail(db, { files, folder }, wanted) : undefined
  if (file === undefined) return sendPage(response, 404, saidPage(texts.notFound, texts.notFoundText))
  const headers = { 'content-type': 'image/webp', ...HEADERS }
  sendAnswer(response, { status: 200, headers, body: await readFile(file) })
}

async function compare(
  app: Showing,
  response: ServerResponse,
  { preview, page, base }: { preview: Preview; page: string; base: string },
) {
  await app.publishing.bringPreview(filesOf(preview))
  const file = siteFile(page)
  if (file === undefined || !existsSync(join(previewFolder(app.config.dataDir, filesOf(preview)), file)))
    return sendPage(response, 404, saidPage(texts.notFound, texts.notFoundText))
  sendPage(response, 200, comparePage(await knownPreview(app, { preview, base }), page))
}

function sendUnready(response: ServerResponse, preview: Preview | undefined) {
  if (preview) sendPage(response, 200, makingPage())
  else sendPage(response, 404, saidPage(texts.gone, texts.goneText))
}

function readAddress(url = '') {
  const [, token = '', view, path = '/', query] = ADDRESS.exec(url) ?? []
  return { token, view: view as View | undefined, path, query }
}

function readQuery(query: string | undefined, name: string): string {
  return new URLSearchParams(query).get(name) ?? ''
}

function sendPage(response: ServerResponse, status: number, html: string) {
  const answer = pageAnswer(status, html)
  const headers = { ...answer.headers, ...HEADERS, 'content-security-policy': PREVIEW_POLICY }
  sendAnswer(response, { ...answer, headers })
}
