/** A font of a look: one file, whose fallback gets its measures. */
export interface SiteFont {
  name: string
  /** Of a package (`@fontsource/inter/files/…woff2`), or beside `look.json` (`./inter.woff2`). */
  file: string
  /** Such as `700`, or `100 900` of a variable font. */
  weight: string
  fallback: 'sans-serif' | 'serif'
}

export interface FontPair {
  /** Absolute path of a module or file that `file` is looked up from. */
  from: string
  heading: SiteFont
  text: SiteFont
}

/** Returns the custom property that has the font with its fallbacks. */
export function fontVariable({ name }: SiteFont): string {
  return `--font-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
}
