import type { Db } from '../../db/schema.ts'
import type { Answer } from '../../forms/answer.ts'
import { findFieldType } from '../../forms/field-types/field-types.ts'
import type { Answers, Form, FormField } from '../../forms/form.ts'
import { findFieldsOfVersion, listFieldsOfVersions } from '../../forms/form-version-store.ts'
import { formatFileSize } from '../../forms/received-file.ts'
import { withoutLinks } from '../../lib/markdown/link-parts.ts'
import { leadTexts } from '../../messages/admin/leads.ts'
import type { Submission } from '../submission.ts'

// Submissions from before versions answered the form's first fields.
const FIRST_VERSION = 1

/** An answer as readable text, under the label its field had at the time. */
export interface LabelledAnswer {
  name: string
  label: string
  text: string
  answer: Answer
  /** Undefined if the form version has no such field. */
  field: FormField | undefined
}

/** Finds the fields that the form had when this submission was sent. */
export async function fieldsOfTheTime(
  db: Db,
  { formVersion }: Pick<Submission, 'formVersion'>,
  form: Form,
): Promise<FormField[]> {
  const version = formVersion ?? FIRST_VERSION
  if (version === form.version) return form.fields
  return (await findFieldsOfVersion(db, form.id, version)) ?? form.fields
}

/**
 * Returns a function that tells the fields that a submission's form had when it was sent, with one query for all of
 * these submissions. It returns none if the form was deleted.
 */
export async function fieldsOfTheirTime(
  db: Db,
  submissions: readonly Pick<Submission, 'formId' | 'formVersion'>[],
): Promise<(submission: Pick<Submission, 'formId' | 'formVersion'>) => readonly FormField[]> {
  const versions = submissions.flatMap(({ formId, formVersion }) =>
    formId === null ? [] : { formId, version: formVersion ?? FIRST_VERSION },
  )
  const distinct = new Map(versions.map((one) => [`${one.formId} ${one.version}`, one]))
  const fields = await listFieldsOfVersions(db, [...distinct.values()])
  return ({ formId, formVersion }) => fields.get(`${formId} ${formVersion ?? FIRST_VERSION}`) ?? []
}

/** Answers in the order of the fields, followed by answers without a field. */
export function labelAnswers(answers: Answers, fields: readonly FormField[]): LabelledAnswer[] {
  const asked = new Map(fields.map((field) => [field.name, field]))
  const names = [...asked.keys(), ...Object.keys(answers).filter((name) => !asked.has(name))]
  return names.map((name) => {
    const [answer, field] = [answerOf(answers, name), asked.get(name)]
    return {
      name,
      label: withoutLinks(field?.label ?? name),
      text: readableAnswer(answer, field),
      answer,
      field,
    }
  })
}

/** Returns the answer with that name, or null. A field may be called `constructor`. */
export function answerOf(answers: Answers, name: string): Answer {
  return Object.hasOwn(answers, name) ? (answers[name] ?? null) : null
}

/** Returns an answer as `answerText` does, but in the form that people read, such as “Thu, Dec 10, 2026”. */
export function readableAnswer(answer: Answer, field?: FormField | undefined): string {
  const text = answerText(answer, field)
  return findFieldType(field?.type)?.format?.(text) ?? text
}

/** Returns an answer as text for other programs and people: option labels, yes or no, and dates as `YYYY-MM-DD`. */
export function answerText(answer: Answer, field?: FormField | undefined): string {
  if (answer === null) return ''
  if (typeof answer === 'boolean') return answer ? leadTexts.yes : leadTexts.no
  if (Array.isArray(answer)) return answer.map((value) => optionLabel(value, field)).join(', ')
  if (typeof answer === 'object') return `${answer.name} (${formatFileSize(answer.size)})`
  return optionLabel(String(answer), field)
}

function optionLabel(value: string, field: FormField | undefined): string {
  return field?.options.find((option) => option.value === value)?.label ?? value
}
