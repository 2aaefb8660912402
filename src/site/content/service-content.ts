import type { Entry } from '../../entries/entry-store.ts'
import type { Picture } from '../../pictures/picture.ts'
import { textOf } from '../pages/text-of.ts'
import { type EntryPicture, entryPicture } from '../pictures/entry-picture.ts'
import { type PagePictures, pagePictures } from '../pictures/page-pictures.ts'
import { textPictures } from '../pictures/text-pictures.ts'
import { renderNamed } from './lazy-markdown.ts'

/** A service's own content, which its location services inherit (§2.9 rule 5). */
export interface ServiceContent extends PagePictures {
  title: string
  summary: string | null
  bodyHtml: string
  icon: string | null
  priceFrom: string | null
  duration: string | null
  includes: string[]
  steps: { title: string; text: string }[]
  faq: { question: string; answer: string }[]
  picture: EntryPicture | null
}

/** The fields of a `services` entry, with Markdown as HTML. */
export function toServiceContent(service: Entry, pictures: ReadonlyMap<string, Picture>): ServiceContent {
  const { data } = service
  return {
    title: service.title,
    summary: textOf(data.summary),
    bodyHtml: renderNamed({
      markdown: service.body,
      owner: { kind: 'service', name: service.slug },
      pictures: textPictures(pictures),
    }),
    icon: textOf(data.icon),
    priceFrom: textOf(data.price_from),
    duration: textOf(data.duration),
    includes: (data.includes as string[] | undefined) ?? [],
    steps: (data.steps as ServiceContent['steps'] | undefined) ?? [],
    faq: (data.faq as ServiceContent['faq'] | undefined) ?? [],
    picture: entryPicture(pictures, data),
    ...pagePictures(pictures, data),
  }
}
