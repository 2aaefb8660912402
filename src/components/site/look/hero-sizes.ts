/** Width of the main picture of a page; the same in its preload, or browsers would load two. */
export const HERO_SIZES = '(min-width: 84rem) 46.5rem, (min-width: 64rem) 56vw, 94vw'
