import { composeText } from '../../forms/answer-text.ts'

const MAX_NAME_CHARACTERS = 120
const MAX_EXTENSION_CHARACTERS = 20
const FALLBACK = 'file'

// Marks that reverse the writing direction, which can make `exe.pdf` look like `fdp.exe`, and the byte-order mark.
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu

/**
 * Returns a visitor's file name for display: no folders, control characters, or direction marks, at most 120
 * characters including the extension, never empty. Never used on disk.
 */
export function cleanFileName(sent: string): string {
  const name = composeText(sent)
    .replace(INVISIBLE, '')
    .replace(/^.*[/\\]/s, '')
    .trim()
  return /^\.*$/.test(name) ? FALLBACK : shorten(name)
}

function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= MAX_NAME_CHARACTERS) return name
  const dot = characters.lastIndexOf('.')
  const extension = dot >= characters.length - MAX_EXTENSION_CHARACTERS ? characters.slice(dot) : []
  return [...characters.slice(0, MAX_NAME_CHARACTERS - extension.length), ...extension].join('')
}
