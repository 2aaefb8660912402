import type { Graph } from 'schema-dts'
import type { Crumb } from '../../site/pages/page.ts'

interface Node {
  '@type'?: unknown
  '@id'?: unknown
  [key: string]: unknown
}

/**
 * Checks what types can't: every node has a type and a unique ID, references stay within the graph, no text is
 * empty, and the breadcrumb matches the visible one. Throws on the first mistake.
 */
export function checkGraph(graph: Graph, { breadcrumbs }: { breadcrumbs: readonly Crumb[] }): void {
  const nodes = graph['@graph'] as unknown as Node[]
  const ids = new Set<unknown>()
  for (const node of nodes) {
    const id = node['@id']
    if (typeof id !== 'string' || !URL.canParse(id)) fail(`${node['@type']} has no absolute @id`)
    if (ids.has(id)) fail(`${id} stands there twice`)
    ids.add(id)
  }
  for (const node of nodes) checkValue(node, [String(node['@id'])], ids)
  checkBreadcrumb(nodes, breadcrumbs)
}

// `where` leads from the node to the value. It becomes text only for an error, because every page is checked.
function checkValue(value: unknown, where: string[], ids: ReadonlySet<unknown>): void {
  if (value === '' || value === null || value === undefined) fail(`${where.join(' ')} is empty`)
  if (Array.isArray(value)) for (const item of value) checkValue(item, where, ids)
  else if (typeof value === 'object') checkNode(value as Node, where, ids)
}

function checkNode(node: Node, where: string[], ids: ReadonlySet<unknown>) {
  const isReference = node['@type'] === undefined
  if (isReference && !ids.has(node['@id']))
    fail(`${where.join(' ')} refers to ${node['@id']}, which is not there`)
  for (const key in node) {
    where.push(key)
    checkValue(node[key], where, ids)
    where.pop()
  }
}

function checkBreadcrumb(nodes: readonly Node[], breadcrumbs: readonly Crumb[]) {
  const list = nodes.find((node) => node['@type'] === 'BreadcrumbList')
  const items = (list?.itemListElement ?? []) as { position: number; name: string }[]
  const isVisible = breadcrumbs.every(
    ({ name }, index) => items[index]?.name === name && items[index]?.position === index + 1,
  )
  if (items.length !== breadcrumbs.length || !isVisible) fail('the breadcrumb is not the visible one')
}

function fail(problem: string): never {
  throw new Error(`Structured data is malformed: ${problem}`)
}
