import type { PageChange } from './plan-release.ts'

const LISTED_CHANGES = 200

/** Collects the first 200 pages that differ in a comparison. */
export function listFirstChanges() {
  const changes: PageChange[] = []
  return {
    changes,
    onChange(change: PageChange) {
      if (change.change !== 'same' && changes.length < LISTED_CHANGES) changes.push(change)
    },
  }
}
