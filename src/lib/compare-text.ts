/** Returns a comparison of names in a language; equal names are ordered by `compareText`. */
export function orderOfNames(language: string): (a: string, b: string) => number {
  const { compare } = new Intl.Collator(language)
  return (a, b) => compare(a, b) || compareText(a, b)
}

/** The same order on every machine and database, unlike a locale's. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
