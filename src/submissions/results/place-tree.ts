import type { ReportRow } from './load-report.ts'
import { type Figures, NO_FIGURES, plus } from './report-store.ts'

/** A line of a report by place. */
export interface PlaceRow extends ReportRow {
  /** Its name and those of the places above it; empty if unknown. */
  names: readonly string[]
  /** Number of listed places above it. */
  depth: number
  /** True for the figures of a place with areas that none of the areas has. */
  isItself: boolean
}

interface PlaceOptions {
  /** Each place with those above it, itself first. */
  lines: ReadonlyMap<string, readonly { key: string; name: string }[]>
  /** Returns true if the reader may see the total of a place. */
  isSeen: (key: string) => boolean
}

interface Node extends Pick<PlaceRow, 'subject' | 'names'> {
  total: Figures
  own: Figures | undefined
  areas: Map<string, Node>
}

/**
 * Adds up results by place: each place includes the places below it, and precedes them. The rows right below a place add
 * up to its figures.
 */
export function addUpPlaces(rows: readonly ReportRow[], { lines, isSeen }: PlaceOptions): PlaceRow[] {
  const roots: Node['areas'] = new Map()
  for (const { subject, ...figures } of rows) {
    const line = lines.get(subject) ?? []
    const above = line.slice(1).filter(({ key }) => isSeen(key))
    const names = line.map(({ name }) => name)
    let siblings = roots
    for (const [index, key] of [subject, ...above.map(({ key }) => key)].entries().toArray().reverse()) {
      const known = siblings.get(key)
      const node = known ?? newNode(key, names.slice(index))
      siblings.set(key, node)
      node.total = plus(node.total, figures)
      if (index === 0) node.own = figures
      siblings = node.areas
    }
  }
  return sorted([...roots.values()].map((node) => rowsOf(node, 0))).flat()
}

/** Returns the rows with the most leads first, then the most views; a place always precedes its areas. */
export function rankPlaces<Row extends PlaceRow>(rows: readonly Row[]): Row[] {
  return rows.toSorted(byFigures)
}

function newNode(subject: string, names: readonly string[]): Node {
  return { subject, names, total: NO_FIGURES, own: undefined, areas: new Map() }
}

function rowsOf({ subject, names, total, own, areas }: Node, depth: number): PlaceRow[] {
  const place = { subject, names, depth, isItself: false, ...total }
  const below = [...areas.values()].map((area) => rowsOf(area, depth + 1))
  if (own && areas.size > 0) below.push([{ ...place, depth: depth + 1, isItself: true, ...own }])
  return [place, ...sorted(below).flat()]
}

// Each group of rows starts with its total.
function sorted(groups: PlaceRow[][]): PlaceRow[][] {
  return groups.toSorted(([a], [b]) => (a && b ? byFigures(a, b) : 0))
}

function byFigures(a: Figures, b: Figures): number {
  return b.leads - a.leads || b.views - a.views
}
