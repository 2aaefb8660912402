import type { Db } from '../../db/schema.ts'
import type { FormField } from '../../forms/form.ts'
import { findFormById } from '../../forms/form-store.ts'
import { withoutLinks } from '../../lib/markdown/link-parts.ts'
import type { Submission } from '../submission.ts'
import { fieldsOfTheTime } from './label-answers.ts'

type Answered = Pick<Submission, 'formId' | 'formVersion'>

/**
 * Returns the title of each column: all labels of its field, newest first (`Dimensions / Size`), followed by the
 * field name if several columns have the same labels: `Size (size_2)`.
 */
export function columnTitles(
  labels: ReadonlyMap<string, readonly string[]>,
  otherTitles: readonly string[],
): string[] {
  const titles = [...labels].map(([name, ofName]) => ({
    name,
    title: [...new Set(ofName.map(withoutLinks))].join(' / '),
  }))
  const all = [...otherTitles, ...titles.map(({ title }) => title)].map((title) => title.toLowerCase())
  return titles.map(({ name, title }) => {
    const lower = title.toLowerCase()
    return all.indexOf(lower) === all.lastIndexOf(lower) ? title : `${title} (${name})`
  })
}

/** Returns a function that finds the fields of a submission's form version. Each version is read once. */
export function createFieldsByVersion(db: Db): (submission: Answered) => Promise<FormField[]> {
  const known = new Map<string, Promise<FormField[]>>()
  return (submission) => {
    const { formId, formVersion } = submission
    if (formId === null) return Promise.resolve([])
    const key = `${formId} ${formVersion}`
    const fields = known.get(key) ?? findFields(db, formId, submission)
    known.set(key, fields)
    return fields
  }
}

async function findFields(db: Db, formId: number, submission: Answered): Promise<FormField[]> {
  const form = await findFormById(db, formId)
  return form ? fieldsOfTheTime(db, submission, form) : []
}
