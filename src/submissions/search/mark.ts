/**
 * Begins the words that stand for places, services, and people in the search index. Both engines take it for a letter;
 * in the words of a text it has become an `a` (NFKD), so nothing that someone types is the beginning of a mark.
 */
export const MARK = 'ª'
