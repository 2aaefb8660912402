import type { ContentType } from '../../entries/types/content-type-store.ts'
import { type ContentDocument, pathOfDocument } from '../document.ts'
import { parseEntry } from '../parsing/parse-entry.ts'
import { parseSite, parseYamlFile } from '../parsing/parse-yaml-file.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import { writeDocument } from '../write-document.ts'

/** A row read as its file would be, for what it names. Forms and content types name nothing that has to be there. */
export function parseRow(document: ContentDocument, types: readonly ContentType[]): ParsedFile[] {
  const file = { path: pathOfDocument(document), text: writeDocument(document) }
  switch (document.kind) {
    case 'site':
      return [parseSite(file)]
    case 'taxonomy':
      return [parseYamlFile(file, 'taxonomies', { environment: {}, stored: types })]
    case 'entry': {
      const type = types.find(({ slug }) => slug === document.type)
      return type ? [parseEntry(file, type)] : []
    }
    default:
      return []
  }
}
