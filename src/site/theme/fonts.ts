/** A look's font: one file, with a fallback adjusted to its metrics. */
export interface SiteFont {
  name: string
  /** In a package (`@fontsource/inter/files/…woff2`), or beside `look.json` (`./inter.woff2`). */
  file: string
  /** Such as `700`, or `100 900` for a variable font. */
  weight: string
  fallback: 'sans-serif' | 'serif'
}

export interface FontPair {
  /** Absolute path of the module or file from which `file` is resolved. */
  from: string
  heading: SiteFont
  text: SiteFont
}

/** Returns the custom property for the font and its fallbacks. */
export function fontVariable({ name }: SiteFont): string {
  return `--font-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
}
