import type { Db } from '../../db/schema.ts'
import { loadTermTrees, type TermTrees } from '../../site/content/site-content.ts'
import { type ContentChange, findLogEnd, type LogPosition, listChangesAfter } from './change-store.ts'

const FEW_CHANGES = 1_000
const OF_TREES = new Set<ContentChange['subject']>(['term', 'taxonomy'])

/** The trees of one database, kept by a process that publishes often. */
export interface KeptTrees {
  /** Returns the trees as this connection sees them. */
  load(db: Db): Promise<TermTrees>
}

/**
 * Keeps the trees until a term is saved. Always call `load` with the same database, though the connections may
 * differ.
 */
export function keepTrees(): KeptTrees {
  let kept: { position: LogPosition; trees: TermTrees } | undefined
  return {
    async load(db) {
      const position = await findLogEnd(db)
      const isSame = kept !== undefined && (await areTreesSameSince(db, kept.position))
      kept = { position, trees: kept && isSame ? kept.trees : await loadTermTrees(db) }
      return kept.trees
    },
  }
}

async function areTreesSameSince(db: Db, position: LogPosition): Promise<boolean> {
  const changes = await listChangesAfter(db, position, { limit: FEW_CHANGES })
  // A longer list is incomplete.
  return (
    changes !== undefined &&
    changes.length <= FEW_CHANGES &&
    !changes.some(({ subject }) => OF_TREES.has(subject))
  )
}
