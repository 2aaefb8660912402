import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { Db } from '../db/schema.ts'
import { compareText } from '../lib/compare-text.ts'
import type { Environment } from '../lib/environment-values.ts'
import { makeFolder } from '../lib/make-folder.ts'
import { Failure } from '../lib/messages.ts'
import { type Progress, silentProgress } from '../lib/progress.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { problemTexts } from '../messages/command-line/problems.ts'
import { findPictureBytes, listPictures } from '../site/pictures/picture-store.ts'
import { matchWebhooks } from '../webhooks/definition/match-webhooks.ts'
import { type OpenBase, openBase } from './base-documents.ts'
import { listContentFileBases } from './content-file-store.ts'
import type { ContentDocument, FormDocument } from './document.ts'
import { documentsFromDatabase } from './documents-from-database.ts'
import { PICTURES } from './parsing/content-folder.ts'
import { openedDefinition, openSigningSecret, unfillWebhook } from './parsing/webhook-texts.ts'
import { seedDocuments } from './seed-documents.ts'
import type { RowDocument } from './syncing/plan-sync.ts'
import { writeDocument } from './write-document.ts'

/**
 * Lists the files of an export, one path per line, so that the next one into the same folder can replace them. Written
 * before them: an export that was broken off can be made again.
 */
const MARKER = '.signpost-export'

export interface ExportOptions {
  out: string
  environment: Environment
  secretBox: SecretBox
  progress?: Progress | undefined
}

/**
 * Writes the database as content files (contract §3) into the folder `out`; returns their paths in it. What a fresh
 * database holds anyway is left out unless it came from a file. Secrets are left out, or stand as `${NAME}` or dots: see
 * `unfillWebhook`. Throws when the folder holds anything but an earlier export.
 */
export async function exportContent(db: Db, options: ExportOptions): Promise<string[]> {
  const { out, progress = silentProgress } = options
  await clearEarlierExport(out)
  const documents = await documentsToExport(db, options)
  const pictures = [...(await listPictures(db)).keys()]
  const paths = [...documents.map(([path]) => path), ...pictures.map((name) => `${PICTURES}/${name}`)]
  makeFolder(out)
  await writeFile(join(out, MARKER), paths.map((path) => `${path}\n`).join(''))
  let done = 0
  for (const [path, document] of documents) {
    await mkdir(dirname(join(out, path)), { recursive: true })
    await writeFile(join(out, path), writeDocument(document))
    done += 1
    progress.update(done, documents.length)
  }
  progress.finish()
  await exportPictures(db, pictures, out)
  return paths
}

async function exportPictures(db: Db, names: readonly string[], out: string): Promise<void> {
  for (const name of names) {
    await mkdir(join(out, PICTURES), { recursive: true })
    await writeFile(join(out, PICTURES, name), (await findPictureBytes(db, name)) ?? '')
  }
}

async function clearEarlierExport(out: string): Promise<void> {
  if (!existsSync(out) || (await readdir(out)).length === 0) return
  if (!existsSync(join(out, MARKER))) {
    throw new Failure(problemTexts, 'exportNotEmpty', out)
  }
  await refuseLinks(out)
  const paths = (await readFile(join(out, MARKER), 'utf8')).split('\n').filter(isInside)
  for (const path of paths) await rm(join(out, path), { force: true })
}

// Through a link files outside would be deleted and written.
async function refuseLinks(out: string): Promise<void> {
  const link = (await readdir(out, { recursive: true, withFileTypes: true })).find((one) =>
    one.isSymbolicLink(),
  )
  if (link) throw new Failure(problemTexts, 'exportLink', join(link.parentPath, link.name))
}

// A folder may come from somebody else: nothing outside of it is deleted.
function isInside(path: string): boolean {
  return path !== '' && !isAbsolute(path) && !path.split(/[\\/]/).includes('..')
}

async function documentsToExport(
  db: Db,
  { environment, secretBox }: ExportOptions,
): Promise<[string, ContentDocument][]> {
  const rows = [...(await documentsFromDatabase(db))].sort(([a], [b]) => compareText(a, b))
  const bases = await listContentFileBases(db)
  const seeds = await seedDocuments()
  return rows.flatMap(([path, row]): [string, ContentDocument][] => {
    const base = bases.get(path)
    if (!base && seeds.get(path)?.sha256 === row.sha256) return []
    const opened = base && openBase(base, secretBox)
    return [[path, withoutSecrets(row, opened, { environment, secretBox })]]
  })
}

function withoutSecrets(
  row: RowDocument,
  base: OpenBase | undefined,
  { environment, secretBox }: { environment: Environment; secretBox: SecretBox },
): ContentDocument {
  if (row.document.kind !== 'form') return row.document
  const { webhooks: templates } = (base?.document ?? { webhooks: [] }) as FormDocument
  const stored = (row.webhooks ?? []).map((webhook) => openedDefinition(webhook, secretBox))
  const matches = matchWebhooks(stored, templates)
  const webhooks = stored.map((webhook, index) => {
    // What has another name and another address is found at its place: no value of the environment may stand in a file.
    const template = matches.get(webhook) ?? templates[index]
    const storedSecret = openSigningSecret(row.webhooks?.[index], secretBox)
    // Values that nobody changed since the sync are still those of the file, whatever the environment says today.
    const values = base?.rowSha256 === row.sha256 ? {} : environment
    return unfillWebhook(webhook, template, { environment: values, storedSecret })
  })
  return { ...row.document, webhooks }
}
