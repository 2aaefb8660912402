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
import { stemOfName } from '../pictures/picture.ts'
import type { PictureFiles } from '../pictures/picture-files.ts'
import { readPictureBytes } from '../pictures/sweep-pictures.ts'
import { matchWebhooks } from '../webhooks/definition/match-webhooks.ts'
import { type OpenBase, openBase } from './base-documents.ts'
import { listContentFileBases } from './content-file-store.ts'
import type { ContentDocument, FormDocument, PictureDocument } from './document.ts'
import { documentsFromDatabase } from './documents-from-database.ts'
import { PICTURES } from './parsing/content-folder.ts'
import { openedDefinition, openSigningSecret, unfillWebhook } from './parsing/webhook-texts.ts'
import { seedDocuments } from './seed-documents.ts'
import type { RowDocument } from './syncing/plan-sync.ts'
import { writeDocument } from './write-document.ts'

/**
 * Lists the files of an export, one path per line, so that the next export into the same folder can replace them.
 * Written first, so that an interrupted export can be repeated.
 */
const MARKER = '.signpost-export'

export interface ExportOptions {
  out: string
  environment: Environment
  secretBox: SecretBox
  pictureFiles: PictureFiles
  progress?: Progress | undefined
}

/**
 * Writes the database as content files (contract §3) into the folder `out`; returns their paths in it. Leaves out
 * what a fresh database contains anyway, unless it came from a file. Secrets are left out, or written as `${NAME}`
 * or dots: see `unfillWebhook`. Throws if the folder contains anything but an earlier export.
 */
export async function exportContent(db: Db, options: ExportOptions): Promise<string[]> {
  const { out, progress = silentProgress } = options
  await clearEarlierExport(out)
  const documents = await documentsToExport(db, options)
  const facts = pathsOfFacts(documents.map(([, document]) => document))
  const paths = [...documents.map(([path]) => path), ...facts.values()]
  makeFolder(out)
  await writeFile(join(out, MARKER), paths.map((path) => `${path}\n`).join(''))
  let done = 0
  for (const [path, document] of documents) {
    await mkdir(dirname(join(out, path)), { recursive: true })
    if (document.kind === 'picture') await exportPicture(db, document, { ...options, path, facts })
    else await writeFile(join(out, path), writeDocument(document))
    done += 1
    progress.update(done, documents.length)
  }
  progress.finish()
  return paths
}

/** Returns the paths of the pictures' details files, by picture: `van.yaml` beside `van.jpg`. */
function pathsOfFacts(documents: readonly ContentDocument[]): Map<string, string> {
  const pictures = documents.filter((document) => document.kind === 'picture')
  const stems = Map.groupBy(pictures, ({ name }) => stemOfName(name))
  return new Map(
    pictures
      .filter((picture) => writeDocument(picture) !== '')
      .map(({ name }) => {
        const isAlone = stems.get(stemOfName(name))?.length === 1
        return [name, `${PICTURES}/${isAlone ? stemOfName(name) : name}.yaml`]
      }),
  )
}

async function exportPicture(
  db: Db,
  document: PictureDocument,
  { out, path, facts, pictureFiles }: ExportOptions & { path: string; facts: ReadonlyMap<string, string> },
): Promise<void> {
  const { name, bytes } = document
  const read = await readPictureBytes(db, pictureFiles, bytes.sha256)
  if (!read) throw new Failure(problemTexts, 'pictureGone', name)
  await writeFile(join(out, path), read)
  const beside = facts.get(name)
  if (beside !== undefined) await writeFile(join(out, beside), writeDocument(document))
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

// Through a link, files outside the folder would be deleted or written.
async function refuseLinks(out: string): Promise<void> {
  const link = (await readdir(out, { recursive: true, withFileTypes: true })).find((one) =>
    one.isSymbolicLink(),
  )
  if (link) throw new Failure(problemTexts, 'exportLink', join(link.parentPath, link.name))
}

// The list may come from someone else, so nothing outside the folder is deleted.
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
    // A webhook whose name and address both changed is found by position, because no value of the environment may
    // end up in a file.
    const template = matches.get(webhook) ?? templates[index]
    const storedSecret = openSigningSecret(row.webhooks?.[index], secretBox)
    // Values that nobody changed since the sync are still the file's, whatever the environment contains today.
    const values = base?.rowSha256 === row.sha256 ? {} : environment
    return unfillWebhook(webhook, template, { environment: values, storedSecret })
  })
  return { ...row.document, webhooks }
}
