/** The `sizes` of a page's main picture. Its preload must use the same, or browsers would load two files. */
export const HERO_SIZES = '(min-width: 84rem) 46.5rem, (min-width: 64rem) 56vw, 94vw'
