/** Returns the order of names in a language; equal ones are in the order of `compareText`. */
export function orderOfNames(language: string): (a: string, b: string) => number {
  const { compare } = new Intl.Collator(language)
  return (a, b) => compare(a, b) || compareText(a, b)
}

/** The same order on every machine and database, unlike a locale's. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
