import type { Db } from '../../db/schema.ts'
import { listEntriesById, listEntryNames } from '../../entries/entry-lookup-store.ts'
import { SERVICES, TESTIMONIALS } from '../../entries/types/builtin/slugs.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { listFormNames } from '../../forms/form-list-store.ts'
import { listTaxonomies } from '../../taxonomies/taxonomy-store.ts'
import { listTermsById } from '../../taxonomies/term-lookup-store.ts'
import { listTrashedNames } from '../../versions/trash-store.ts'
import type { ContentChange } from '../changes/change-store.ts'
import type { LiveRecord } from './live-record.ts'

export type PendingSubject = Exclude<ContentChange['subject'], 'entry_terms' | 'form_file'>

/** The name of a changed entry, term, form, taxonomy, type, or picture. */
export interface NamedChange {
  name: string
  /** The slug of the entry's type, or of the term's taxonomy. */
  ofSlug: string | undefined
  /** The name of the entry's type. */
  ofName?: string | undefined
}

/** Describes the subjects of changes, by ID. */
type Named = Awaited<ReturnType<typeof loadNamed>>

/** Loads the subjects of changes, and the content types if there are changes of `typesOf`. */
export async function loadNamed(
  db: Db,
  changes: readonly ContentChange[],
  typesOf: readonly ContentChange['subject'][] = ['entry', 'type'],
) {
  const idsOf = (subject: PendingSubject) =>
    changes.filter((one) => one.subject === subject).map((one) => Number(one.subjectId))
  const has = (...subjects: readonly ContentChange['subject'][]) =>
    changes.some(({ subject }) => subjects.includes(subject))
  const entries = await listEntriesById(db, idsOf('entry'))
  const gone = idsOf('entry').filter((id) => !entries.has(id))
  const untitled = [...entries.values()].filter(({ title }) => title === '').map(({ id }) => id)
  const names = await listEntryNames(db, untitled)
  const nameOf = (id: number) => {
    const entry = entries.get(id)
    return entry && (entry.title || (names.get(id) ?? entry.slug))
  }
  return {
    entries,
    nameOf,
    trashed: await listTrashedNames(db, { kind: 'entry', ids: gone }),
    types: byId(has(...typesOf) ? await listContentTypes(db) : []),
    taxonomies: byId(has('taxonomy') ? await listTaxonomies(db) : []),
    terms: await listTermsById(db, idsOf('term')),
    forms: has('form') ? await listFormNames(db) : new Map<number, string>(),
  }
}

function byId<One extends { id: number }>(all: readonly One[]): Map<number, One> {
  return new Map(all.map((one) => [one.id, one]))
}

/** Returns a function that names the subjects of changes; undefined for one that was deleted for good. */
export async function nameSubjects(
  db: Db,
  changes: readonly ContentChange[],
): Promise<(change: ContentChange) => string | undefined> {
  const named = await loadNamed(db, changes, ['type'])
  return (change) => findName(change, named)
}

function findName(
  { subject, subjectId }: ContentChange,
  { nameOf, trashed, types, taxonomies, terms, forms }: Named,
): string | undefined {
  const id = Number(subjectId)
  const names: Partial<Record<ContentChange['subject'], string | undefined>> = {
    entry: nameOf(id) ?? trashed.get(id)?.name,
    term: terms.get(id)?.name,
    form: forms.get(id),
    taxonomy: taxonomies.get(id)?.name,
    type: types.get(id)?.name,
    picture: subjectId,
  }
  return names[subject]
}

// An entry that was deleted for good still has its name or address on the live site.
function nameGone(id: number, live: LiveRecord): NamedChange {
  const service = live.findName(`service:${id}`)
  const review = live.findName(`testimonial:${id}`)
  const ofSlug = service ? SERVICES : review ? TESTIMONIALS : undefined
  return { name: service ?? review ?? live.findPage(id)?.path ?? '', ofSlug }
}

/** Names a change. */
export function nameChange(change: ContentChange, named: Named, live: LiveRecord): NamedChange {
  const { subject, subjectId } = change
  const id = Number(subjectId)
  const { entries, trashed, types, terms } = named
  const name = findName(change, named)
  if (subject === 'entry') {
    const entry = entries.get(id)
    const slug = entry ? types.get(entry.typeId)?.slug : trashed.get(id)?.typeSlug
    const type = [...types.values()].find((one) => one.slug === slug)
    return name === undefined ? nameGone(id, live) : { name, ofSlug: slug, ofName: type?.name }
  }
  const known = subject === 'setting' ? subjectId : name
  const shown = known ?? live.findName(`${subject}:${subjectId}`) ?? ''
  return { name: shown, ofSlug: subject === 'term' ? terms.get(id)?.taxonomySlug : undefined }
}
