import type { Db } from '../../db/schema.ts'
import { listForms } from '../../forms/form-store.ts'
import { listPicturesByName } from '../../pictures/picture-store.ts'
import {
  type PageSource,
  sourceOfForm,
  sourceOfPicture,
  sourcesOfTerm,
} from '../../site/sources/page-sources.ts'
import type { ContentChange } from '../changes/change-store.ts'
import type { LiveRecord } from './live-record.ts'
import type { LoggedSubject } from './logged-subject-store.ts'

/**
 * Finds the changed terms, forms, and pictures that are again as visitors see them, by key such as `term:7`. A term that
 * was moved back has its former parent and position.
 */
export async function findShownAgain(
  db: Db,
  live: LiveRecord,
  changes: readonly Logged[],
): Promise<Set<string>> {
  const again = new Set<string>()
  const known = changes.filter(({ subject, subjectId }) => live.findMark(`${subject}:${subjectId}`))
  for (const [key, sources] of await listSourcesNow(db, known))
    if (sources.every(({ key: source, hash }) => live.findMark(source) === hash)) again.add(key)
  return again
}

// The current marks of each; undefined for a source that it must not have.
async function listSourcesNow(db: Db, changes: readonly Logged[]): Promise<Map<string, Mark[]>> {
  const idsOf = (subject: ContentChange['subject']) =>
    changes.filter((change) => change.subject === subject).map(({ subjectId }) => subjectId)
  const [pictures, formIds] = [idsOf('picture'), new Set(idsOf('form'))]
  const forms = formIds.size > 0 ? await listForms(db) : []
  const sources = new Map<string, Mark[]>()
  for (const { term } of changes)
    if (term) sources.set(`term:${term.id}`, [noText(term), ...sourcesOfTerm(term)].slice(-2))
  for (const picture of (await listPicturesByName(db, pictures)).values())
    sources.set(`picture:${picture.name}`, [sourceOfPicture(picture)])
  for (const form of forms)
    if (formIds.has(`${form.id}`)) sources.set(`form:${form.id}`, [sourceOfForm(form)])
  return sources
}

type Logged = ContentChange & Pick<LoggedSubject, 'term'>
type Mark = Pick<PageSource, 'key'> & { hash: string | undefined }

// A term without a text has one source.
function noText({ id }: { id: number }): Mark {
  return { key: `term-text:${id}`, hash: undefined }
}
