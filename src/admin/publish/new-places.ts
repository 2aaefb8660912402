import { pendingTexts } from '../../messages/admin/history/pending.ts'

const MOST_NAMED = 8

/** Names the services that are offered in a new place. */
export function describeServices(names: readonly string[]): string {
  return names.length === 0
    ? pendingTexts.noneOffered
    : pendingTexts.offered(pendingTexts.names(names, MOST_NAMED))
}
