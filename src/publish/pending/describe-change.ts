import type { Db } from '../../db/schema.ts'
import { listEntriesById } from '../../entries/entry-lookup-store.ts'
import { isPublicAt } from '../../entries/is-public-at.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { listFormNames } from '../../forms/form-list-store.ts'
import { countUses } from '../../pictures/picture-use-store.ts'
import { listNamesOfSite } from '../../site/pictures/shown-pictures.ts'
import { listTaxonomies } from '../../taxonomies/taxonomy-store.ts'
import { listTermsById } from '../../taxonomies/term-lookup-store.ts'
import { listTrashedNames } from '../../versions/trash-store.ts'
import type { ContentChange } from '../changes/change-store.ts'
import type { LiveRecord } from './live-record.ts'

export type PendingSubject = Exclude<ContentChange['subject'], 'entry_terms' | 'form_file'>

/** A change in the list of unpublished changes. */
export interface DescribedChange {
  /** The name of an entry, term, form, taxonomy, type, or picture. */
  name: string
  /** The slug of the entry's type, or of the term's taxonomy. */
  ofSlug: string | undefined
  change: 'added' | 'edited' | 'removed'
}

/** Describes the subjects of changes, by ID. */
type Named = Awaited<ReturnType<typeof loadNamed>>

/** Loads the subjects of changes, of pictures only those in use. */
export async function loadNamed(db: Db, changes: readonly ContentChange[]) {
  const idsOf = (subject: PendingSubject) =>
    changes.filter((one) => one.subject === subject).map((one) => Number(one.subjectId))
  const entries = await listEntriesById(db, idsOf('entry'))
  const gone = idsOf('entry').filter((id) => !entries.has(id))
  return {
    entries,
    trashed: await listTrashedNames(db, { kind: 'entry', ids: gone }),
    types: new Map((await listContentTypes(db)).map((type) => [type.id, type])),
    taxonomies: new Map((await listTaxonomies(db)).map((taxonomy) => [taxonomy.id, taxonomy])),
    terms: await listTermsById(db, idsOf('term')),
    pictures: await listUsed(
      db,
      changes.filter(({ subject }) => subject === 'picture').map(({ subjectId }) => subjectId),
    ),
    forms: idsOf('form').length > 0 ? await listFormNames(db) : new Map<number, string>(),
  }
}

/** Returns a function that names the subjects of changes; undefined for one that was deleted for good. */
export async function nameSubjects(
  db: Db,
  changes: readonly ContentChange[],
): Promise<(change: ContentChange) => string | undefined> {
  const { entries, trashed, types, taxonomies, terms, forms } = await loadNamed(
    db,
    changes.filter(({ subject }) => subject !== 'picture'),
  )
  return ({ subject, subjectId }) => {
    const id = Number(subjectId)
    const entry = entries.get(id)
    const names: Partial<Record<ContentChange['subject'], string | undefined>> = {
      entry: entry ? entry.title || entry.slug : trashed.get(id)?.name,
      term: terms.get(id)?.name,
      form: forms.get(id),
      taxonomy: taxonomies.get(id)?.name,
      type: types.get(id)?.name,
      picture: subjectId,
    }
    return names[subject]
  }
}

async function listUsed(db: Db, pictures: readonly string[]): Promise<Set<string>> {
  if (pictures.length === 0) return new Set()
  const uses = await countUses(db, pictures)
  const ofSite = await listNamesOfSite(db)
  return new Set(pictures.filter((name) => uses.has(name) || ofSite.has(name)))
}

interface Moment {
  live: LiveRecord
  now: Date
}

/** Names a change. Undefined if visitors would not see it. */
export function describeChange(
  { subject, subjectId }: ContentChange,
  named: Named,
  { live, now }: Moment,
): DescribedChange | undefined {
  const id = Number(subjectId)
  if (subject === 'entry') return describeEntry(id, named, { live, now })
  if (subject === 'picture' && !named.pictures.has(subjectId)) return undefined
  if (subject === 'setting' || subject === 'picture')
    return { name: subjectId, ofSlug: undefined, change: 'edited' }
  const former = live.findName(`${subject}:${subjectId}`)
  const term = subject === 'term' ? named.terms.get(id) : undefined
  if (term) {
    const change = former === undefined ? 'added' : 'edited'
    return { name: term.name, ofSlug: term.taxonomySlug, change }
  }
  const { forms, taxonomies, types } = named
  const names = { form: forms.get(id), taxonomy: taxonomies.get(id)?.name, type: types.get(id)?.name }
  const name = names[subject as keyof typeof names]
  if (name !== undefined) return { name, ofSlug: undefined, change: 'edited' }
  return former === undefined ? undefined : { name: former, ofSlug: undefined, change: 'removed' }
}

function describeEntry(
  id: number,
  { entries, trashed, types }: Named,
  { live, now }: Moment,
): DescribedChange | undefined {
  const entry = entries.get(id)
  const isLive = isEntryLive(live, id)
  if (!entry) {
    const known = trashed.get(id)
    return known && isLive ? { name: known.name, ofSlug: known.typeSlug, change: 'removed' } : undefined
  }
  const isShown = isPublicAt(entry, now)
  // A draft, or a page generated from its service and place.
  if ((!isShown && !isLive) || entry.isGenerated) return undefined
  const change = !isLive ? 'added' : isShown ? 'edited' : 'removed'
  return { name: entry.title || entry.slug, ofSlug: types.get(entry.typeId)?.slug, change }
}

/** Returns whether visitors see an entry: on its page, or, for services and reviews, on others. */
export function isEntryLive(live: LiveRecord, id: number): boolean {
  const sources = [`service:${id}`, `testimonial:${id}`]
  return live.findPath(id) !== undefined || sources.some((source) => live.findName(source) !== undefined)
}
