import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'
import { findUnusableCharacter } from '../../lib/characters.ts'
import type { FileFault } from '../../messages/files/mistakes.ts'

export type YamlPath = readonly PropertyKey[]

/** Parsed YAML with the positions of its values. */
export interface LocatedYaml {
  value: unknown
  /** Returns the line of a key or list item, counted from 1; if it is missing, the line of its closest parent. */
  lineOf(path: YamlPath): number
}

interface Problem {
  offset: number
  fault: FileFault
}

/** Parses a text that starts on line `firstLine` of its file. An empty text is an empty object. */
export function parseLocatedYaml(
  text: string,
  { firstLine }: { firstLine: number },
):
  | { kind: 'parsed'; yaml: LocatedYaml }
  | { kind: 'broken'; mistakes: { line: number; fault: FileFault }[] } {
  const lineCounter = new LineCounter()
  // At the level `silent`, a second document in the text would be silently ignored.
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' })
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + firstLine - 1
  const read = readValue(document)
  if (!Array.isArray(read)) {
    const lineOf = (path: YamlPath) => lineAt(offsetOf(document.contents, path))
    return { kind: 'parsed', yaml: { value: read.value, lineOf } }
  }
  // An unclosed quote is reported at the very end; the last non-empty line is more helpful.
  const end = text.trimEnd().length
  const mistakes = read.map(({ offset, fault }) => ({ line: lineAt(Math.min(offset, end)), fault }))
  // Further mistakes on a line have the same cause.
  const lines = Map.groupBy(mistakes, ({ line }) => line)
  return { kind: 'broken', mistakes: [...lines.values()].flatMap(([first]) => first ?? []) }
}

function readValue(document: Document.Parsed): { value: unknown } | Problem[] {
  const problems = [...document.errors, ...document.warnings]
  if (problems.length > 0) {
    const openedAt = findOpenings(document)
    return problems.map(({ pos: [offset], code, message }) => ({
      offset: openedAt.get(offset) ?? offset,
      fault: invalid(code, message),
    }))
  }
  try {
    const found = problemsOfNodes(document)
    return found.length > 0 ? found : { value: document.toJS() ?? {} }
  } catch (error) {
    // Aliases that expand endlessly.
    return [{ offset: 0, fault: invalid('', (error as Error).message) }]
  }
}

/**
 * Finds the opening of each quote and bracket, by its end. The parser reports an unclosed one on a later line, often
 * the last, but people fix it at its opening.
 */
function findOpenings(document: Document.Parsed): Map<number, number> {
  const openings = new Map<number, number>()
  visit(document, (_, node) => {
    const isQuoted = isScalar(node) && node.type?.startsWith('QUOTE_')
    const isOpened = isQuoted || (isCollection(node) && node.flow)
    if (isOpened && node.range) openings.set(node.range[1], node.range[0])
  })
  return openings
}

/**
 * Finds values that are valid YAML but not allowed: characters that no page can show, lists that contain
 * themselves, keys that aren't text, and keys with the same text. YAML reads an unquoted `{{full_name}}` as a key that
 * isn't text, and `1` and `"1"` as different keys.
 */
function problemsOfNodes(document: Document.Parsed): Problem[] {
  const problems: Problem[] = []
  visit(document, {
    Scalar(_, node) {
      const character = typeof node.value === 'string' ? findUnusableCharacter(node.value) : undefined
      if (character) problems.push(at(node, { code: 'character_unusable', params: { name: character.name } }))
    },
    Alias(_, node, above) {
      const meant = node.resolve(document)
      if (!meant) problems.push(at(node, { code: 'yaml_alias_unknown', params: { name: node.source } }))
      else if (above.includes(meant))
        problems.push(at(node, { code: 'yaml_inside_itself', params: { name: node.source } }))
    },
    Map(_, node) {
      problems.push(...repeatedKeys(node))
    },
    Pair(_, { key }) {
      if (isAlias(key)) problems.push(at(key, { code: 'yaml_key_alias', params: { name: key.source } }))
      if (!isCollection(key)) return undefined
      problems.push(at(key, { code: 'yaml_key_not_text' }))
      return visit.SKIP
    },
  })
  return problems
}

function repeatedKeys({ items }: YAMLMap): Problem[] {
  const known = new Set<string>()
  return items.flatMap(({ key }) => {
    if (!isScalar(key)) return []
    const text = String(key.value ?? '')
    if (known.has(text)) return [at(key, { code: 'yaml_key_repeated', params: { name: text } })]
    known.add(text)
    return []
  })
}

function at(node: Node, fault: FileFault): Problem {
  return { offset: node.range?.[0] ?? 0, fault }
}

// Uses only the first line of the library's message, as part of ours.
function invalid(error: string, message: string): FileFault {
  const [first = message] = message.split('\n')
  return { code: 'yaml_invalid', params: { error, reason: first.replace(/[.:]$/, '') } }
}

function offsetOf(root: Node | null, path: YamlPath): number {
  let node: unknown = root
  let offset = root?.range?.[0] ?? 0
  for (const key of path) {
    const next = childOf(node, key)
    if (!next) return offset
    node = next.node
    offset = next.offset ?? offset
  }
  return offset
}

function childOf(node: unknown, key: PropertyKey): { node: unknown; offset: number | undefined } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(key)] as Node | undefined
    return item && { node: item, offset: item.range?.[0] }
  }
  if (!isMap(node)) return undefined
  const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
  return pair && { node: pair.value, offset: (pair.key as Node).range?.[0] }
}
