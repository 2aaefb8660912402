import type { PageChange } from './plan-release.ts'

const LISTED_CHANGES = 200

/** Lists the first 200 pages that differ, of those that a comparison hands over. */
export function listFirstChanges() {
  const changes: PageChange[] = []
  return {
    changes,
    onChange(change: PageChange) {
      if (change.change !== 'same' && changes.length < LISTED_CHANGES) changes.push(change)
    },
  }
}
