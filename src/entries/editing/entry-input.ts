import { utcTextOf } from '../../lib/locale/local-time.ts'
import { isTimeZone } from '../../lib/locale/locale.ts'
import type { Entry, EntryStatus } from '../entry-store.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { linesOf, type Posted, readPostedFields, textAt } from '../types/posted-fields.ts'

/** The input of a person for an entry. */
export interface EntryInput {
  /** That of a location service comes from its service and its place (§2.9 rule 3). */
  slug: string
  /** Empty on a location service that inherits it. */
  title: string
  status: EntryStatus
  body: string
  /** Stored values by key; a location service names its place by slug. */
  fields: Record<string, unknown>
  termIds: number[]
  /** Terms named by slug or name, where there are too many to tick: by taxonomy slug. */
  namedTerms: Record<string, string[]>
  /** Moments as UTC text, or what was written in their place. */
  publishAt: string | null
  unpublishAt: string | null
  redirectFrom: string[]
  /** `updatedAt` of the entry when the person began; a later change of someone else is then not lost. */
  basedOn?: string | undefined
}

/** The input that the editor's form posted. */
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

// `datetime-local` has no zone: the form says in which one it was shown. A text that is no moment stays, to be refused.
function momentAt(name: string, posted: Posted): string | null {
  const [text, zone] = [textAt(name, posted), textAt('time_zone', posted)]
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

/** The input of an entry that has nothing yet but these fields. */
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
