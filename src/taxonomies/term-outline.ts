import { isSlug, MAX_SLUG_LENGTH, slugOf } from '../lib/slug.ts'
import type { AdminProblem } from '../messages/admin/problems.ts'
import type { TermNode, TermTree } from './term-tree.ts'

const LONGEST_NAME = 200
const MOST_LINES = 2_000
const TAB = '    '
/** The posted list. */
const LIST = ['list']

/** A term in a pasted list, and its effect. */
interface OutlinedTerm {
  line: number
  name: string
  slug: string
  /** Depth below the term that the list is added to, from 0. */
  depth: number
  /** Index of its parent in the list; undefined at the top. */
  above: number | undefined
  /** `known` already exists under the same parent; `renamed` got another slug, because its own is taken. */
  state: 'new' | 'renamed' | 'known'
  /** The ID of an existing term. */
  id: number | undefined
}

export interface TermOutline {
  terms: OutlinedTerm[]
  /** Problems, each with its line. If there is any, nothing can be added. */
  problems: AdminProblem[]
}

interface OutlineOptions {
  tree: TermTree
  /** Parent of the new terms; null for the top level. */
  parentId: number | null
  isHierarchical: boolean
}

interface Line {
  number: number
  indent: number
  name: string
  slug: string | undefined
}

/**
 * Parses a list of names, one per line, with children indented. List markers (`-`, `*`) are ignored, and a name may
 * be followed by its slug: `Austin | austin-tx`. Otherwise, slugs are made from names. A slug that is taken
 * elsewhere in the taxonomy gets the parent's appended. A term that already exists, by slug or name, only serves as
 * the parent of those below it.
 */
export function outlineTerms(text: string, options: OutlineOptions): TermOutline {
  const lines = readLines(text)
  const problems = [...lines.flatMap((line) => problemOf(line, options)), ...problemsOfList(lines, options)]
  if (problems.length > 0) return { terms: [], problems }
  const terms: OutlinedTerm[] = []
  const taken = new Set(options.tree.bySlug.keys())
  // The line above each depth: a line belongs to the last one that is indented less.
  const open: { indent: number; index: number }[] = []
  for (const line of lines) {
    while ((open.at(-1)?.indent ?? -1) >= line.indent) open.pop()
    const above = open.at(-1)?.index
    const term = outlined(line, { above, terms, taken, ...options })
    if ('code' in term) problems.push(term)
    else terms.push(term)
    open.push({ indent: line.indent, index: terms.length - 1 })
  }
  return problems.length > 0 ? { terms: [], problems } : { terms, problems }
}

function readLines(text: string): Line[] {
  return text.split('\n').flatMap((raw, index) => {
    const line = raw.replaceAll('\t', TAB).trimEnd()
    const content = line.trim().replace(/^[-*•]\s+/, '')
    if (content === '') return []
    const [name = '', slug] = content.split('|').map((part) => part.trim())
    return [
      { number: index + 1, indent: line.length - line.trimStart().length, name, slug: slug || undefined },
    ]
  })
}

function problemsOfList(
  { length }: readonly Line[],
  { parentId, isHierarchical }: OutlineOptions,
): AdminProblem[] {
  const problems: AdminProblem[] = []
  if (parentId !== null && !isHierarchical) problems.push({ path: LIST, code: 'list_without_levels' })
  if (length > MOST_LINES)
    problems.push({ path: LIST, code: 'lines_many', params: { count: length, max: MOST_LINES } })
  return problems
}

function problemOf(
  { number: line, name, slug, indent }: Line,
  { isHierarchical }: OutlineOptions,
): AdminProblem[] {
  if (name === '') return [{ path: LIST, code: 'line_without_name', params: { line } }]
  if (name.length > LONGEST_NAME)
    return [{ path: LIST, code: 'line_too_long', params: { line, max: LONGEST_NAME } }]
  if (slug !== undefined && !isSlug(slug))
    return [{ path: LIST, code: 'line_slug_invalid', params: { line, slug } }]
  if (slug === undefined && slugOf(name) === '')
    return [{ path: LIST, code: 'line_slug_missing', params: { line, name } }]
  if (indent > 0 && !isHierarchical) return [{ path: LIST, code: 'line_indented', params: { line } }]
  return []
}

interface OutlineState extends OutlineOptions {
  above: number | undefined
  terms: readonly OutlinedTerm[]
  taken: Set<string>
}

function outlined(line: Line, state: OutlineState): OutlinedTerm | AdminProblem {
  const { above, terms, taken, tree, parentId } = state
  const parent = above === undefined ? undefined : terms[above]
  const own = line.slug ?? slugOf(line.name)
  const shared = { line: line.number, name: line.name, depth: (parent?.depth ?? -1) + 1, above }
  const existing = findSibling(line, own, termsBelow(tree, above === undefined ? parentId : parent?.id))
  if (existing) return { ...shared, slug: existing.slug, state: 'known', id: existing.id }
  if (!taken.has(own)) {
    taken.add(own)
    return { ...shared, slug: own, state: 'new', id: undefined }
  }
  if (line.slug !== undefined)
    return { path: LIST, code: 'line_slug_taken', params: { line: line.number, slug: own } }
  const parentSlug = parent?.slug ?? (parentId === null ? undefined : tree.byId.get(parentId)?.slug)
  const slug = freeSlug(own, parentSlug, taken)
  taken.add(slug)
  return { ...shared, slug, state: 'renamed', id: undefined }
}

function termsBelow(tree: TermTree, parentId: number | null | undefined): readonly TermNode[] {
  if (parentId === null) return tree.roots
  return (parentId === undefined ? undefined : tree.byId.get(parentId)?.children) ?? []
}

// Also by name, because its slug may differ from what its name makes if that was taken elsewhere.
function findSibling({ name, slug }: Line, own: string, siblings: readonly TermNode[]): TermNode | undefined {
  const bySlug = siblings.find((one) => one.slug === own)
  if (bySlug || slug !== undefined) return bySlug
  return siblings.find((one) => one.name.toLowerCase() === name.toLowerCase())
}

// springfield, springfield-illinois, springfield-2
function freeSlug(own: string, parentSlug: string | undefined, taken: ReadonlySet<string>): string {
  const withParent = parentSlug === undefined ? own : `${own}-${parentSlug}`
  if (withParent.length <= MAX_SLUG_LENGTH && !taken.has(withParent)) return withParent
  for (let number = 2; ; number++) {
    const suffix = `-${number}`
    const slug = own.slice(0, MAX_SLUG_LENGTH - suffix.length) + suffix
    if (!taken.has(slug)) return slug
  }
}
