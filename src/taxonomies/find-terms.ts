import { descendantsOf, type TermNode, type TermTree } from './term-tree.ts'

/** Finds terms whose name contains these words, ignoring accents and case, in tree order. */
export function findTermsByName({ roots }: TermTree, search: string): TermNode[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  return roots
    .flatMap((root) => [root, ...descendantsOf(root)])
    .filter(({ name }) => words.every((word) => plain(name).includes(word)))
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
