/** One part of an address: lowercase letters, digits and single hyphens, at most 80 characters. */
export const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
export const MAX_SLUG_LENGTH = 80

export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && SLUG_PATTERN.test(text)
}

// Letters that are not another letter with a mark.
const SPELLED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** A slug for a name: `Café & Bar` becomes `cafe-bar`. Empty when no character of the name can be in one. */
export function slugOf(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const plain = letters.replace(/[ßæœøłđðþı]/g, (letter) => SPELLED[letter] ?? '')
  const parts = plain.split(/[^a-z0-9]+/).filter((part) => part !== '')
  return parts.join('-').slice(0, MAX_SLUG_LENGTH).replace(/-$/, '')
}
