import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create } from 'fontkitten'

/** The families for share pictures, preferred one first. Each has the weights 500 and 800. */
export type FontFamily = 'Figtree' | 'M PLUS 1p'

// M PLUS 1p has 8,331 characters in 1.7 MB per weight: Latin, Greek, Cyrillic, Vietnamese, and Japanese. Fonts that
// also have Korean, simplified Chinese, or Arabic are five to ten times as large.
const FILES: Record<FontFamily, { medium: string; extraBold: string }> = {
  Figtree: {
    medium: import.meta.resolve('@expo-google-fonts/figtree/500Medium/Figtree_500Medium.ttf'),
    extraBold: import.meta.resolve('@expo-google-fonts/figtree/800ExtraBold/Figtree_800ExtraBold.ttf'),
  },
  'M PLUS 1p': {
    medium: import.meta.resolve('@expo-google-fonts/m-plus-1p/500Medium/MPLUS1p_500Medium.ttf'),
    extraBold: import.meta.resolve('@expo-google-fonts/m-plus-1p/800ExtraBold/MPLUS1p_800ExtraBold.ttf'),
  },
}
const FAMILIES = Object.keys(FILES) as FontFamily[]

/** The files of these families. */
export function fontFiles(families: Iterable<FontFamily>): string[] {
  return [...families].flatMap((family) => Object.values(FILES[family])).map((url) => fileURLToPath(url))
}

const characters = new Map<FontFamily, ReadonlySet<number>>()

// Both weights of a family have the same characters. Read when the first picture is drawn, which takes 40 ms.
function charactersOf(family: FontFamily): ReadonlySet<number> {
  const known = characters.get(family) ?? readCharacters(fileURLToPath(FILES[family].medium))
  characters.set(family, known)
  return known
}

function readCharacters(file: string): ReadonlySet<number> {
  const font = create(readFileSync(file))
  return new Set('characterSet' in font ? font.characterSet : [])
}

/** A text with the font to draw it. */
export interface DrawnText {
  family: FontFamily
  /** Without characters that the font lacks; empty if most are missing. */
  text: string
  isWhole: boolean
}

// Marks that join or vary emoji mean nothing on their own.
const JOINERS = /[\u200d\ufe0e\ufe0f]/g

/**
 * Returns a text with the font that has most of its characters. One font draws the whole text: mixed letters look
 * like mistakes, and the renderer drops parts of texts with several fonts.
 */
export function drawnText(text: string): DrawnText {
  const wanted = [...text.normalize('NFC').replace(JOINERS, '')]
  const choices = FAMILIES.map((family) => ({ family, drawn: wanted.filter((one) => has(family, one)) }))
  const [best] = choices.sort((a, b) => b.drawn.length - a.drawn.length)
  if (!best || best.drawn.length * 2 < wanted.length) return { family: 'Figtree', text: '', isWhole: false }
  const isWhole = best.drawn.length === wanted.length
  return { family: best.family, text: best.drawn.join('').trim(), isWhole }
}

function has(family: FontFamily, character: string): boolean {
  return /\s/.test(character) || charactersOf(family).has(character.codePointAt(0) ?? 0)
}
