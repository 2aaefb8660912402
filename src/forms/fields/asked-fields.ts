import type { Answers, Form, FormField } from '../form.ts'

/**
 * Returns the form as an older page showed it: its version's fields and rules, plus later fields only if they
 * were sent.
 */
export function asAsked(
  form: Form,
  { version, fields }: { version: number; fields: readonly FormField[] },
  body: Readonly<Record<string, unknown>>,
): Form {
  const shown = new Set(fields.map(({ name }) => name))
  const sentAnyway = form.fields.filter(({ name }) => !shown.has(name) && Object.hasOwn(body, name))
  return { ...form, version, fields: [...fields, ...sentAnyway] }
}

/** A `null` answer for every current field that the page didn't show. */
export function answersNotAsked(form: Form, asked: Form): Answers {
  const names = new Set(asked.fields.map(({ name }) => name))
  return Object.fromEntries(
    form.fields.filter(({ name }) => !names.has(name)).map(({ name }) => [name, null]),
  )
}
