import { isUnspaced, splitWords } from '../../lib/words.ts'

// Letter widths relative to the font size, slightly overestimated.
const NARROW = 0.32
const WIDE = 0.92
const CAPITAL = 0.7
const ORDINARY = 0.58
const FULL = 1

/**
 * Breaks a text between words so that no line is wider than this many times the font size. A longer word stays
 * whole.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const { piece, gap } of piecesOf(text)) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(last + gap + piece) <= width)
      lines[lines.length - 1] = last + gap + piece
    else lines.push(piece)
  }
  return lines
}

// A line may end before each piece; `gap` precedes the piece if the line doesn't.
function piecesOf(text: string): { piece: string; gap: string }[] {
  return text.split(/\s+/).flatMap((word) => {
    const pieces = isUnspaced(word) ? splitWords(word) : [word]
    return pieces.map((piece, index) => ({ piece, gap: index === 0 ? ' ' : '' }))
  })
}

function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += widthOfLetter(letter)
  return width
}

function widthOfLetter(letter: string): number {
  if ("iljtfrI.,:;'’!|()- ".includes(letter)) return NARROW
  if (isUnspaced(letter) || /[\u3000-\u303f\uff00-\uff60]/.test(letter)) return FULL
  if ('mwMW@%—'.includes(letter)) return WIDE
  return letter !== letter.toLowerCase() ? CAPITAL : ORDINARY
}
