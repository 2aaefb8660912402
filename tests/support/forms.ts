import type { z } from 'zod'
import type { Db } from '#src/db/schema.ts'
import type { Form, FormField } from '#src/forms/form.ts'
import { formDefinitionSchema } from '#src/forms/form-definition.ts'
import { findForm, saveForm } from '#src/forms/form-store.ts'

/** Makes a field, by default an optional text field. */
export function aField(field: Partial<FormField> = {}): FormField {
  return {
    name: 'answer',
    type: 'text',
    label: 'Answer',
    placeholder: null,
    defaultValue: null,
    required: false,
    options: [],
    validation: {},
    helpText: null,
    ...field,
  }
}

/** Makes a form, by default active with one optional text field. */
export function aForm(form: Partial<Form> = {}): Form {
  return {
    id: 1,
    slug: 'contact',
    name: 'Contact',
    description: null,
    status: 'active',
    settings: {},
    isBuiltin: false,
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
    version: 1,
    fields: [aField()],
    ...form,
  }
}

/** What a form file says, as parsed YAML. */
export type FormFile = Partial<z.input<typeof formDefinitionSchema>>

/** Makes a form file, by default with one optional text field called `answer`. */
export function aFormFile(file: FormFile = {}) {
  return { name: 'Contact', fields: [{ name: 'answer', label: 'Answer' }], ...file }
}

/** Stores a form and reads it back. */
export async function storeForm(db: Db, slug: string, file: FormFile = {}): Promise<Form> {
  const definition = formDefinitionSchema.parse(aFormFile(file))
  await saveForm(db, slug, definition, { now: '2026-11-20T10:00:00.000Z' })
  const form = await findForm(db, slug)
  if (!form) throw new Error(`The form ${slug} was not stored`)
  return form
}
