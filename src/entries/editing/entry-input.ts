import { utcTextOf } from '../../lib/locale/local-time.ts'
import { isTimeZone } from '../../lib/locale/locale.ts'
import type { Entry, EntryStatus } from '../entry-store.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { linesOf, type Posted, readPostedFields, textAt } from '../types/posted-fields.ts'

/** A person's input for an entry. */
export interface EntryInput {
  /** For a location service, derived from its service and place (§2.9 rule 3). */
  slug: string
  /** Empty on a location service that inherits it. */
  title: string
  status: EntryStatus
  body: string
  /** Stored values by key; a location service refers to its place by slug. */
  fields: Record<string, unknown>
  termIds: number[]
  /** Terms entered by slug or name, if there are too many to tick: by taxonomy slug. */
  namedTerms: Record<string, string[]>
  /** Times as UTC text, or the invalid text that was entered. */
  publishAt: string | null
  unpublishAt: string | null
  redirectFrom: string[]
  /** `updatedAt` of the entry when the person opened it, so that later changes by someone else aren't overwritten. */
  basedOn?: string | undefined
}

/** Reads the input that the editor's form posted. */
export function readEntryInput(type: ContentType, posted: Posted): EntryInput {
  return {
    slug: textAt('slug', posted),
    title: textAt('title', posted),
    status: textAt('status', posted) === 'published' ? 'published' : 'draft',
    body: textAt('body', posted),
    fields: readPostedFields(type, posted),
    termIds: (posted.get('terms') ?? []).map(Number).filter(Number.isInteger),
    namedTerms: readNamedTerms(posted),
    publishAt: momentAt('publish_at', posted),
    unpublishAt: momentAt('unpublish_at', posted),
    redirectFrom: linesOf(textAt('redirect_from', posted)),
    basedOn: textAt('based_on', posted) || undefined,
  }
}

// `datetime-local` has no time zone, so the form posts the zone in which it was shown. Invalid text is kept, to be
// refused later.
function momentAt(name: string, posted: Posted): string | null {
  const [text, zone] = [textAt(name, posted), textAt('time-zone', posted)]
  return utcTextOf(text, isTimeZone(zone) ? zone : 'UTC') ?? (text || null)
}

function readNamedTerms(posted: Posted): Record<string, string[]> {
  const named = [...posted.keys()].filter((name) => name.startsWith('named_terms.'))
  return Object.fromEntries(
    named.map((name) => [
      name.slice('named_terms.'.length),
      textAt(name, posted)
        .split(/[,\n]/)
        .map((text) => text.trim())
        .filter((text) => text !== ''),
    ]),
  )
}

/** Returns the input of an entry that has only these fields. */
export function emptyEntryInput(fields: Record<string, unknown>): EntryInput {
  return {
    slug: '',
    title: '',
    status: 'published',
    body: '',
    fields,
    termIds: [],
    namedTerms: {},
    publishAt: null,
    unpublishAt: null,
    redirectFrom: [],
  }
}

/** Returns the input that would leave an entry unchanged. */
export function toEntryInput(entry: Entry, termIds: number[]): EntryInput {
  const { slug, title, status, body, data: fields, publishAt, unpublishAt, redirectFrom, updatedAt } = entry
  const values = { slug, title, status, body, fields, publishAt, unpublishAt, redirectFrom }
  return { ...values, termIds, namedTerms: {}, basedOn: updatedAt }
}
