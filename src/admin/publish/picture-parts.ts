import type { Db } from '../../db/schema.ts'
import { readPictureAddress } from '../../lib/picture-address.ts'
import { listPicturesByName } from '../../pictures/picture-store.ts'
import type { PreviewEdit, ShownPicture } from '../../publish/previews/preview-edit.ts'
import type { TextPart } from '../versions/diff-texts.ts'

type EditPart = PreviewEdit['fields'][number]['parts'][number]

/** Pictures in Markdown, and the names of pictures that fields show. */
const PICTURES =
  /!\[([^\]\n]*)\]\((?:<([^>\n]+)>|([^\s)]+))(?:\s+"[^"\n]*")?\)|[\p{L}\p{N}_][\p{L}\p{N}._-]*\.(?:avif|jpe?g|png|webp)(?![\p{L}\p{N}])/giu

// One character for each picture, which texts don't contain, so that a comparison never splits a picture.
const FIRST_CODE = 0xe000
const MOST_PICTURES = 6_400
const STAND_IN = /([\uE000-\uF8FF])/

/** Texts in which one character stands for each picture. */
export interface PictureTexts {
  before: string
  after: string
  /** Replaces these characters by the pictures. */
  toParts(part: TextPart): EditPart[]
}

/** Replaces the pictures in two texts, so that the texts can be compared. A picture of the library gets its hash. */
export async function readPictureTexts(
  db: Db,
  texts: Pick<PictureTexts, 'before' | 'after'>,
): Promise<PictureTexts> {
  const both = `${texts.before}\n${texts.after}`
  if (STAND_IN.test(both)) return { ...texts, toParts: (part) => [part] }
  const matches = [...both.matchAll(PICTURES)].slice(0, MOST_PICTURES)
  const known = await listPicturesByName(db, [...new Set(matches.map((match) => nameIn(match)))])
  const shown = new Map<string, ShownPicture>()
  for (const match of matches) {
    const [markup, alt] = match
    const picture = known.get(nameIn(match))
    const shownAlt = alt || picture?.alt || nameIn(match)
    if (picture) shown.set(markup, { sha256: picture.sha256, alt: shownAlt })
  }
  const pictures = [...shown.values()]
  const codes = new Map([...shown.keys()].map((markup, index) => [markup, FIRST_CODE + index]))
  const replaced = (text: string) =>
    text.replace(PICTURES, (markup) => {
      const code = codes.get(markup)
      return code === undefined ? markup : String.fromCharCode(code)
    })
  return {
    before: replaced(texts.before),
    after: replaced(texts.after),
    toParts: ({ change, text }) =>
      text
        .split(STAND_IN)
        .filter((piece) => piece !== '')
        .map((piece) => {
          const picture = STAND_IN.test(piece) ? pictures[piece.charCodeAt(0) - FIRST_CODE] : undefined
          return picture ? { change, text: '', picture } : { change, text: piece }
        }),
  }
}

function nameIn([whole, alt, angled, bare]: RegExpExecArray): string {
  if (alt === undefined) return whole
  const read = readPictureAddress(angled ?? bare ?? '')
  return read.kind === 'file' ? read.name : ''
}
