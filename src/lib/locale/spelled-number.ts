/** A phone number in texts. */
export interface SpelledNumber {
  /** As it was entered. */
  value: string
  /** As in `toNationalNumber`: found in any spelling. Otherwise, it is only found as entered. */
  digits?: string
  countryCode?: string
}

/** The number in its place. */
export interface NewNumber {
  /** As texts show it. */
  value: string
  /** E.164, for links; undefined if it can't be dialed. */
  dialable: string | undefined
}

const SIGNS = '[\\s\\u2011()./-]*'
const BEFORE = '(?<![A-Za-z\\d-])'
const AFTER = '(?![A-Za-z\\d]|-\\d|\\.[A-Za-z])'

/** Replaces a phone number in a text, whatever its spelling. In a link it becomes a number that can be dialed. */
export function replaceNumber(text: string, former: SpelledNumber, { value, dialable }: NewNumber): string {
  const pattern = new RegExp(`(tel:|sms:|[/=])?${BEFORE}(${spellingsOf(former)})${AFTER}`, 'g')
  return text.replace(pattern, (_, before: string = '', number: string) => {
    if (dialable !== undefined && isInLink(before, number))
      return before + (before.length > 1 || number.startsWith('+') ? dialable : dialable.slice(1))
    // Of a number in parentheses, only the first one was matched.
    const isOpen = number.startsWith('(') && !number.includes(')')
    return `${before}${isOpen ? '(' : ''}${value}`
  })
}

function isInLink(before: string, number: string): boolean {
  return before.length > 1 || (before !== '' && /^\+?\d+$/.test(number))
}

function spellingsOf({ value, digits, countryCode }: SpelledNumber): string {
  if (digits === undefined) return value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const country = countryCode === undefined ? '' : `(?:(?:\\+|00)?${countryCode}${SIGNS})?`
  return `${country}(?:\\(?0\\)?${SIGNS})?\\(?${[...digits].join(SIGNS)}`
}
