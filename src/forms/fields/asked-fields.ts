import type { Answers, Form, FormField } from '../form.ts'

/**
 * Returns the form that an older page showed: the fields and rules of its version, plus later fields only if they were
 * sent.
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

/** An answer of `null` for every field of today that the page did not ask. */
export function answersNotAsked(form: Form, asked: Form): Answers {
  const names = new Set(asked.fields.map(({ name }) => name))
  return Object.fromEntries(
    form.fields.filter(({ name }) => !names.has(name)).map(({ name }) => [name, null]),
  )
}
