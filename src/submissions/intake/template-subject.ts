import type { Db } from '../../db/schema.ts'
import type { Form, FormField } from '../../forms/form.ts'
import type { Choices } from '../../templates/choice-labels.ts'
import type { TemplateSubject } from '../../templates/payload-template.ts'
import { type Origins, submissionMeta } from '../../webhooks/body/submission-meta.ts'
import { fieldsOfTheTime } from '../inbox/label-answers.ts'
import { nameSubmissions } from '../search/submission-names.ts'
import type { Submission } from '../submission.ts'

/** Returns the values for the templates of a submission's emails, with the fields and names behind them. */
export async function templateSubject(
  db: Db,
  submission: Submission,
  form: Form,
  origins: Origins,
): Promise<{
  filledFrom: TemplateSubject
  fields: FormField[]
  serviceName: string | undefined
  places: string[]
}> {
  const fields = await fieldsOfTheTime(db, submission, form)
  const { service, places = [] } = (await nameSubmissions(db, [submission])).get(submission) ?? {}
  const serviceName = service?.name
  const named = { ...submission, serviceName: submission.serviceName ?? serviceName ?? null, form }
  const meta = { ...submissionMeta(named, origins) }
  const filledFrom = { answers: submission.answers, meta, choices: choicesOf(fields) }
  return { filledFrom, fields, serviceName, places }
}

function choicesOf(fields: readonly FormField[]): Choices {
  const withOptions = fields.filter(({ options }) => options.length > 0)
  return new Map(
    withOptions.map(({ name, options }) => [
      name,
      new Map(options.map(({ value, label }) => [value, label])),
    ]),
  )
}
