import assert from 'node:assert/strict'
import { type ContentDocument, type EntryDocument, pathOfDocument } from '#src/content-files/document.ts'
import { parseSite, parseYamlFile, YAML_FOLDERS } from '#src/content-files/parsing/parse-yaml-file.ts'
import type { ParsedFile } from '#src/content-files/parsing/parsed-file.ts'
import type { PathPlan } from '#src/content-files/syncing/plan-paths.ts'
import type { Decision } from '#src/content-files/syncing/plan-sync.ts'
import { canonicalJson, sha256Hex } from '#src/lib/canonical-json.ts'

/** The entry of `<type>/<slug>.md`. */
export function anEntry(path: string, entry: Partial<EntryDocument> = {}): EntryDocument {
  const [type = ''] = path.split('/')
  const slug = path.slice(type.length + 1, -'.md'.length)
  return {
    kind: 'entry',
    type,
    slug,
    title: slug,
    status: 'published',
    terms: {},
    fields: {},
    body: '',
    ...entry,
  }
}

/** Parses a YAML file of a content folder. */
export function aFile(path: string, text: string): ParsedFile {
  if (path === 'site.yaml') return parseSite({ path, text })
  const [folder] = path.split('/')
  assert.ok(folder && Object.hasOwn(YAML_FOLDERS, folder), path)
  return parseYamlFile({ path, text }, folder as keyof typeof YAML_FOLDERS, { environment: {}, stored: [] })
}

/** The document of a YAML file. */
export function documentOf(path: string, text: string): ContentDocument {
  const { document, mistakes } = aFile(path, text)
  assert.ok(document, JSON.stringify(mistakes))
  return document
}

/** A plan with any of its three sides. */
export function aPlan(
  decision: Decision,
  { file, row, base }: { file?: ContentDocument; row?: ContentDocument; base?: ContentDocument },
): PathPlan {
  const known = file ?? row ?? base
  assert.ok(known)
  return {
    path: pathOfDocument(known),
    decision,
    file,
    row: row && {
      document: row,
      sha256: hashOf(row),
      isBuiltin: false,
      ...(row.kind === 'form' && { webhooks: [] }),
    },
    base: base && { document: base, rowSha256: hashOf(base) },
  }
}

function hashOf(document: ContentDocument): string {
  return sha256Hex(canonicalJson(document))
}
