import { Document, isScalar, Scalar, visit } from 'yaml'
import type { ContentDocument } from './document.ts'
import { fileValuesOf } from './parsing/file-values.ts'

const LINE_WIDTH = 110
/** Longer texts become folded blocks. */
const TEXT_WIDTH = 90
/** Short lists of short texts go on one line. */
const FLOW_WIDTH = 80
const NOT_PROSE = /^\s| \n| $|[^\S \n]|[^\P{C}\n]/u

/** Returns the text of a document's file; parsing it gives the same document. */
export function writeDocument(document: ContentDocument): string {
  const yaml = toYaml(fileValuesOf(document))
  if (document.kind !== 'entry') return yaml
  return `---\n${yaml}---\n${document.body === '' ? '' : `\n${document.body}\n`}`
}

function toYaml(values: Record<string, unknown>): string {
  if (Object.keys(values).length === 0) return ''
  // The same object in two places must not become an anchor and an alias.
  const document = new Document(values, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && typeof node.value === 'string') node.type = styleOf(node.value)
    },
    Seq(_, node) {
      const texts = node.items.map((item) => (isScalar(item) ? String(item.value) : undefined))
      node.flow = texts.every((text) => text !== undefined) && texts.join(', ').length <= FLOW_WIDTH
    },
    Map(_, node) {
      node.flow = node.items.length === 0
    },
  })
  return document.toString({
    lineWidth: LINE_WIDTH,
    flowCollectionPadding: false,
    // Quoted texts broken into lines don't always parse back unchanged.
    doubleQuotedAsJSON: true,
  })
}

// Blocks are for prose: they lose trailing blanks, and control characters are allowed only in quotes.
function styleOf(text: string): Scalar.Type {
  if (NOT_PROSE.test(text)) return Scalar.QUOTE_DOUBLE
  if (text.includes('\n')) return Scalar.BLOCK_LITERAL
  return text.length > TEXT_WIDTH ? Scalar.BLOCK_FOLDED : Scalar.PLAIN
}
