/**
 * First letter of index words that stand for places, services, and people. Both engines treat it as a letter. In
 * ordinary text it becomes an `a` (NFKD), so nothing anyone types matches a mark.
 */
export const MARK = 'ª'
