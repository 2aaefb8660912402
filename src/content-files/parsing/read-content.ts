import type { Db } from '../../db/schema.ts'
import { withSectionFields } from '../../entries/sections/fields-of-type.ts'
import { toContentTypeValues } from '../../entries/types/content-type-definition.ts'
import {
  type ContentType,
  listContentTypes,
  type SchemaField,
} from '../../entries/types/content-type-store.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { compareText } from '../../lib/compare-text.ts'
import type { Environment } from '../../lib/environment-values.ts'
import { type ContentFileBase, listContentFileBases } from '../content-file-store.ts'
import { contentTypeRow } from '../documents-from-database.ts'
import { type Preferring, preferenceAt } from '../syncing/plan-sync.ts'
import { refuseSlowTexts } from '../texts/refuse-slow-texts.ts'
import { type ContentFile, readContentFolder } from './content-folder.ts'
import { parseEntry } from './parse-entry.ts'
import { parseSite, parseYamlFile, YAML_FOLDERS } from './parse-yaml-file.ts'
import { type ParsedFile, stemOf, unusable } from './parsed-file.ts'

const SITE_FILE = 'site.yaml'
const NEW_TYPE = { id: 0, isBuiltin: false }

interface ReadOptions extends Preferring {
  contentDir: string
  environment: Environment
}

/**
 * Reads every file of a content folder as a document, or returns its mistakes (contract §3). Content types come from
 * the files, and in addition from the database. Throws if there is no such folder.
 */
export async function readContent(
  db: Db,
  { contentDir, environment, ...preferring }: ReadOptions,
): Promise<ParsedFile[]> {
  const files = await refuseSlowTexts(db, await readContentFolder(contentDir))
  const byFolder = Map.groupBy(
    files.filter(({ problem }) => !problem),
    folderOf,
  )
  const unreadable = files.flatMap(({ path, problem }) =>
    problem ? [unusable(path, problem.line, problem.fault)] : [],
  )
  const stored = await listContentTypes(db)
  const typeFiles = (byFolder.get('content_types') ?? []).map((file) =>
    parseYamlFile(file, 'content_types', { environment, stored }),
  )
  const bases = await listContentFileBases(db, { folder: 'content_types' })
  const types = withTypesOf(typeFiles, stored, { bases, preferring })
  byFolder.delete('content_types')
  const wrong = new Set([...typeFiles, ...unreadable].filter(({ document }) => !document).flatMap(typeOfFile))
  const rest = [...byFolder].flatMap(([folder, files]) =>
    wrong.has(folder)
      ? readUnblamed(files, types.get(folder))
      : readFolder(folder, files, { types, environment, stored }),
  )
  return [...typeFiles, ...rest, ...unreadable]
}

// Accepts a type's file with any extension.
function typeOfFile({ path }: ParsedFile): string[] {
  const [folder, slug] = stemOf(path).split('/')
  return folder === 'content_types' && slug !== undefined ? [slug] : []
}

// Entries of a type with a mistake aren't reported: they may be valid once the type is corrected.
function readUnblamed(files: readonly ContentFile[], type: ContentType | undefined): ParsedFile[] {
  return files.map((file) => {
    const parsed = type && parseEntry(file, type)
    if (parsed?.document) return parsed
    return { path: file.path, document: undefined, references: [], mistakes: [] }
  })
}

interface Known {
  types: ReadonlyMap<string, ContentType>
  environment: Environment
  stored: readonly ContentType[]
}

function readFolder(folder: string, files: readonly ContentFile[], { types, ...known }: Known): ParsedFile[] {
  if (isYamlFolder(folder)) return files.map((file) => parseYamlFile(file, folder, known))
  const type = types.get(folder)
  if (type) return files.map((file) => parseEntry(file, type))
  // An unknown folder is reported once, not for each of its files.
  const reported = folder === '' ? files : files.slice(0, 1)
  return reported.map((file) => (file.path === SITE_FILE ? parseSite(file) : unexpected(file, types)))
}

function unexpected({ path }: ContentFile, types: ReadonlyMap<string, ContentType>): ParsedFile {
  const folders = [...Object.keys(YAML_FOLDERS), ...types.keys()].sort(compareText).join(', ')
  const params = { inFolder: path.includes('/'), site: SITE_FILE, folders }
  return unusable(path, 1, { code: 'file_of_no_kind', params })
}

function withTypesOf(
  files: readonly ParsedFile[],
  stored: readonly ContentType[],
  { bases, preferring }: { bases: ReadonlyMap<string, ContentFileBase>; preferring: Preferring },
): ReadonlyMap<string, ContentType> {
  const types = new Map(stored.map((type) => [type.slug, type]))
  for (const { path, document } of files) {
    if (document?.kind !== 'content_type') continue
    const { slug, definition } = document
    const known = types.get(slug)
    const values = toContentTypeValues(definition)
    const base = bases.get(path)
    const isEdited = known && base && base.rowSha256 !== contentTypeRow(known).sha256
    const wins =
      preferenceAt(path, preferring) === 'file' &&
      canonicalJson(base?.document ?? null) !== canonicalJson(document)
    const more = isEdited && !wins ? fieldsOnlyIn(known, values) : []
    const fields = withSectionFields(slug, [...values.fields, ...more])
    types.set(slug, { ...(known ?? NEW_TYPE), slug, ...values, fields })
  }
  return types
}

// A type edited in the admin keeps its edits unless its file wins, so files may use its new fields but don't have
// to.
function fieldsOnlyIn(stored: ContentType, { fields }: Pick<ContentType, 'fields'>): SchemaField[] {
  const keys = new Set(fields.map(({ key }) => key))
  return stored.fields.filter(({ key }) => !keys.has(key)).map((field) => ({ ...field, required: false }))
}

function folderOf({ path }: ContentFile): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

function isYamlFolder(folder: string): folder is keyof typeof YAML_FOLDERS {
  return Object.hasOwn(YAML_FOLDERS, folder)
}
