import { mayHoldPictures, type TextPicture } from '../../lib/markdown/markdown.ts'
import { readPictureAddress } from '../../lib/picture-address.ts'
import { namesInText } from '../../pictures/named-pictures.ts'
import type { Picture } from '../../pictures/picture.ts'
import type { TextPictures } from '../content/lazy-markdown.ts'
import { sourcesOf } from './entry-picture.ts'

/** A column of text is at most 46rem wide. */
const SIZES = '(min-width: 52rem) 46rem, 94vw'

/**
 * Finds pictures of texts by their file in `pictures/`. Missing ones are left out, as are pictures of other sites:
 * the pages' Content-Security-Policy would block them, and a third party would learn of each visitor.
 */
export function textPictures(pictures: ReadonlyMap<string, Picture>): TextPictures {
  return {
    find(address) {
      const read = readPictureAddress(address)
      if (read.kind === 'path') return 'as_written'
      const picture = read.kind === 'file' ? pictures.get(read.name) : undefined
      return picture && toTextPicture(picture)
    },
    stateOf: (markdown) => (mayHoldPictures(markdown) ? stateOf(markdown, pictures) : undefined),
  }
}

function toTextPicture(picture: Picture): TextPicture {
  return { ...sourcesOf(picture), sizes: SIZES, alt: picture.alt ?? '' }
}

// Their own descriptions are shown only there.
const WITHOUT_ALT = /!\[\s*\]|<img\b/i

// Faster than rendering the text. Extra names do no harm.
function stateOf(markdown: string, pictures: ReadonlyMap<string, Picture>): string {
  const showsAlt = WITHOUT_ALT.test(markdown)
  return [...namesInText(markdown)]
    .flatMap((name) => pictures.get(name) ?? [])
    .map(({ name, sha256, crop, alt }) => {
      const parts = [crop && JSON.stringify(crop), showsAlt && alt]
      return [name, sha256, ...parts.filter(Boolean)].join(' ')
    })
    .join()
}
