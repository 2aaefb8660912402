const rules = new Intl.PluralRules('en')

/** Returns the number with its noun: `1 link`, `1,204 links`. */
export function countOf(count: number, noun: { one: string; other: string }): string {
  return `${formatCount(count)} ${rules.select(count) === 'one' ? noun.one : noun.other}`
}

const COUNT_FORMAT = new Intl.NumberFormat('en')

/** Returns `1,234`. A page has thousands of counts, most of them too small for a separator. */
export function formatCount(count: number): string {
  return count >= 0 && count < 1_000 ? String(count) : COUNT_FORMAT.format(count)
}
