const rules = new Intl.PluralRules('en')

/** Returns the number with its noun: `1 link`, `4 links`. */
export function countOf(count: number, noun: { one: string; other: string }): string {
  return `${count} ${rules.select(count) === 'one' ? noun.one : noun.other}`
}

const COUNT_FORMAT = new Intl.NumberFormat('en')

/** `1,234`, much faster than toLocaleString(): a page has thousands. */
export function formatCount(count: number): string {
  return COUNT_FORMAT.format(count)
}
