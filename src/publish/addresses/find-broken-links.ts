import type { Db } from '../../db/schema.ts'
import { formerAddressKey } from '../../entries/addresses/former-address.ts'
import {
  findPublishedEntries,
  listEntriesById,
  listFormerAddresses,
} from '../../entries/entry-lookup-store.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { type ContentType, listContentTypes } from '../../entries/types/content-type-store.ts'
import { matchRoute } from '../../entries/types/route-pattern.ts'
import { listForms } from '../../forms/form-store.ts'
import { isMissing } from '../../lib/is-missing.ts'
import { SITE_DIR } from '../../lib/program/folders.ts'
import { hasOwnPageAt } from '../../site/own-pages/own-files.ts'
import { ledgerFile, openLedger } from '../ledger/ledger-store.ts'
import { openKnownPages } from '../ledger/page-store.ts'
import { findCurrentRelease, type Release } from '../release/release.ts'
import { leadsSomewhere } from '../release/verify-release.ts'
import { openMovedAddresses } from './moved-addresses.ts'

// In Markdown, except pictures, or in HTML inside it.
const LINK = /(?:(?<!!\[[^\]]{0,500})\]\(\s*<?|\]:\s+<?|href="\s*)(\/(?!\/)[^\s)"#?>]*)/g

/** A text, or texts in a list or object, with its label for people. */
export interface LabeledText {
  label: string
  text: unknown
}

/** A link in a text to an address of this site where the next publish has no page. */
export interface BrokenTextLink {
  label: string
  target: string
}

interface Site {
  dataDir: string
  siteUrl: string
  /** Loaded if missing. */
  types?: readonly ContentType[]
  now: Date
}

/**
 * Finds links to addresses of this site that neither the saved content nor the live release knows. Without a release,
 * finds none, because files and pages with placeholders are unknown.
 */
export async function findBrokenLinks(
  db: Db,
  texts: readonly LabeledText[],
  site: Site,
): Promise<BrokenTextLink[]> {
  const release = findCurrentRelease(site.dataDir)
  const links = texts.flatMap(({ label, text }) =>
    [...new Set(linksIn(text, site.siteUrl))].map((target) => ({ label, target })),
  )
  if (!release || links.length === 0) return []
  const paths = new Set(links.map(({ target }) => pathOf(target)))
  const types = site.types ?? (await listContentTypes(db))
  const broken = await withoutKnown(db, [...paths], { ...site, types, release })
  return links.filter(({ target }) => broken.has(pathOf(target)))
}

function linksIn(text: unknown, siteUrl: string): string[] {
  if (typeof text === 'string')
    return [...text.replaceAll(`${siteUrl}/`, '/').matchAll(LINK)].map(([, target = '']) => target)
  return typeof text === 'object' && text !== null
    ? Object.values(text).flatMap((part) => linksIn(part, siteUrl))
    : []
}

function pathOf(target: string): string {
  const { pathname } = new URL(target, 'http://localhost')
  return pathname === '/' ? pathname : pathname.replace(/\/$/, '')
}

async function withoutKnown(
  db: Db,
  paths: readonly string[],
  { types, now, dataDir, release }: Required<Site> & { release: Release },
): Promise<Set<string>> {
  const left = new Set(paths.filter((path) => !hasOwnPageAt(SITE_DIR, path)))
  for (const path of await findSaved(db, paths, { types, now })) left.delete(path)
  for (const path of await findForms(db, [...left])) left.delete(path)
  for (const path of await findLive(db, [...left], { dataDir, release, now })) left.delete(path)
  const former = left.size > 0 ? await listFormerAddresses(db) : []
  const redirected = new Set(former.flatMap(({ redirectFrom }) => redirectFrom.map(formerAddressKey)))
  return new Set([...left].filter((path) => !redirected.has(formerAddressKey(path))))
}

async function findSaved(
  db: Db,
  paths: readonly string[],
  { types, now }: Pick<Required<Site>, 'types' | 'now'>,
) {
  const claims = paths.flatMap((path) =>
    types.flatMap(({ id, isRoutable, routePattern }) => {
      const slug = isRoutable && routePattern ? matchRoute(routePattern, path) : undefined
      return slug === undefined ? [] : [{ path, typeId: id, slug }]
    }),
  )
  const entries = (await findPublishedEntries(db, claims)).filter((entry) => hasPage(entry, now))
  const known = new Set(entries.map(({ typeId, slug }) => `${typeId} ${slug}`))
  return claims.filter(({ typeId, slug }) => known.has(`${typeId} ${slug}`)).map(({ path }) => path)
}

// Now, or as soon as its time comes.
function hasPage({ status, unpublishAt }: Entry, now: Date): boolean {
  return status === 'published' && (unpublishAt === null || unpublishAt > now.toISOString())
}

async function findForms(db: Db, paths: readonly string[]): Promise<string[]> {
  const some = paths.filter((path) => path.startsWith('/forms/'))
  if (some.length === 0) return []
  const active = (await listForms(db)).filter(({ status }) => status === 'active')
  const known = new Set(active.flatMap(({ slug }) => [`/forms/${slug}`, `/forms/${slug}/thanks`]))
  return some.filter((path) => known.has(path))
}

// Live pages of entries that are hidden or deleted by now are gone after the next publish.
async function findLive(
  db: Db,
  paths: readonly string[],
  { dataDir, release, now }: Pick<Site, 'dataDir' | 'now'> & { release: Release },
): Promise<string[]> {
  const moved = openMovedAddresses(release)
  const live = paths.filter((path) => leadsSomewhere(release, path) || typeof moved.find(path) === 'string')
  moved.close()
  const owners = listOwners(dataDir, live)
  const entries = await listEntriesById(db, [...new Set(owners.values())])
  return live.filter((path) => {
    const owner = owners.get(path)
    const entry = owner === undefined ? undefined : entries.get(owner)
    return owner === undefined || (entry !== undefined && hasPage(entry, now))
  })
}

/** Returns the IDs of the entries whose pages have these addresses. */
function listOwners(dataDir: string, paths: readonly string[]): Map<string, number> {
  const file = ledgerFile(dataDir)
  if (paths.length === 0 || isMissing(file)) return new Map()
  using ledger = openLedger(file)
  const pages = openKnownPages(ledger)
  return new Map(
    paths.flatMap((path) => {
      const id = pages.find(path)?.entryId
      return id === null || id === undefined ? [] : [[path, id] as const]
    }),
  )
}
