import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { SyncChanges } from '#src/content-files/syncing/apply-plans.ts'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import type { SyncOptions } from '#src/content-files/syncing/sync-options.ts'
import { findEntry, listEntries } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'

export const secretBox = createSecretBox(new Uint8Array(32).fill(7))
export const NOW = new Date('2026-11-20T10:00:00.000Z')

export type Workspace = Awaited<ReturnType<typeof openWorkspace>>

/** An empty content folder beside a migrated database. */
export async function openWorkspace(t: TestContext, files: Record<string, string> = {}) {
  const db = await openTestDatabase(t)
  const contentDir = temporaryFolder(t)
  const pictureFiles = openPictureFiles(temporaryFolder(t))
  const workspace = {
    db,
    contentDir,
    pictureFiles,
    write(path: string, text: string) {
      mkdirSync(dirname(join(contentDir, path)), { recursive: true })
      writeFileSync(join(contentDir, path), text)
    },
    remove: (path: string) => rmSync(join(contentDir, path)),
    sync: (options: Partial<SyncOptions> = {}) =>
      syncContent(db, { contentDir, pictureFiles, environment: {}, secretBox, now: NOW, ...options }),
    async synced(options: Partial<SyncOptions> = {}): Promise<SyncChanges> {
      const result = await workspace.sync(options)
      assert.equal(result.kind, 'synced', JSON.stringify(result, null, 2))
      return result.changes
    },
  }
  for (const [path, text] of Object.entries(files)) workspace.write(path, text)
  return workspace
}

export async function findEntryOf({ db }: Workspace, typeSlug: string, slug: string) {
  const type = await findContentType(db, typeSlug)
  assert.ok(type)
  return findEntry(db, type.id, slug)
}

export async function getEntryOf(workspace: Workspace, typeSlug: string, slug: string) {
  const entry = await findEntryOf(workspace, typeSlug, slug)
  assert.ok(entry, `there is ${typeSlug}/${slug}`)
  return entry
}

export async function listEntriesOf({ db }: Workspace, typeSlug: string) {
  const type = await findContentType(db, typeSlug)
  assert.ok(type)
  return listEntries(db, type.id)
}

/** Every row of every table that a sync may write, for comparing before and after. */
export async function allRows({ db }: Workspace) {
  const tables = [
    ...([
      'content_types',
      'content_entries',
      'taxonomies',
      'taxonomy_terms',
      'entry_taxonomy_terms',
    ] as const),
    ...(['forms', 'form_fields', 'form_webhooks', 'settings', 'content_files'] as const),
  ]
  const rows: Record<string, unknown[]> = {}
  for (const table of tables) rows[table] = await db.selectFrom(table).selectAll().execute()
  return rows
}

/** A page's file. */
export function aPage({ title = 'About', summary = 'Who we are', body = 'We are here.' } = {}): string {
  return `---\ntitle: ${title}\nsummary: ${summary}\n---\n\n${body}\n`
}

/** A service's file. */
export function aService({ title = 'AC repair', offeredIn = [] as string[], more = '' } = {}): string {
  return `---\ntitle: ${title}\noffered_in: [${offeredIn.join(', ')}]\n${more}---\n\nWe fix it.\n`
}

/** `taxonomies/locations.yaml`: texas > austin > zilker, texas > dallas, oklahoma. */
export const LOCATIONS = `name: Locations
description: Country, state, city, area
is_hierarchical: true
sort_order: 10
terms:
  - slug: texas
    name: Texas
    terms:
      - slug: austin
        name: Austin
        terms:
          - { slug: zilker, name: Zilker }
      - { slug: dallas, name: Dallas }
  - { slug: oklahoma, name: Oklahoma }
`
