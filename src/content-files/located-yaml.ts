import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

export type YamlPath = readonly PropertyKey[]

/** A parsed YAML text that knows where its values stand. */
export interface LocatedYaml {
  value: unknown
  /** The line of a key or list item, counted from 1; of the nearest part above it when it is missing. */
  lineOf(path: YamlPath): number
}

/** `firstLine` is the line of the file on which the text begins. An empty text is an empty object. */
export function parseLocatedYaml(
  text: string,
  { firstLine }: { firstLine: number },
): { kind: 'parsed'; yaml: LocatedYaml } | { kind: 'broken'; mistakes: { line: number; message: string }[] } {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'silent' })
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + firstLine - 1
  const problems = [...document.errors, ...document.warnings]
  if (problems.length > 0) {
    // What is never closed is missed at the very end: the last line with text says more.
    const end = text.trimEnd().length
    const mistakes = problems.map(({ pos, message }) => ({
      line: lineAt(Math.min(pos[0], end)),
      message: describe(message),
    }))
    return { kind: 'broken', mistakes }
  }
  const lineOf = (path: YamlPath) => lineAt(offsetOf(document.contents, path))
  try {
    return { kind: 'parsed', yaml: { value: document.toJS() ?? {}, lineOf } }
  } catch (error) {
    // An alias without its anchor, or aliases that multiply without end.
    return { kind: 'broken', mistakes: [{ line: firstLine, message: describe((error as Error).message) }] }
  }
}

function describe(message: string): string {
  const [first = message] = message.split('\n')
  return `the YAML cannot be read, ${first.replace(/[.:]$/, '')}; expected valid YAML (quotes help around special characters)`
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
