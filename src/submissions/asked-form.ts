import type { Db } from '../db/schema.ts'
import { asAsked } from '../forms/asked-fields.ts'
import type { Form, FormField } from '../forms/form.ts'
import { findFieldsOfVersion } from '../forms/form-version-store.ts'

const KEPT_VERSIONS = 500

/** The form as the page showed it that sends `_v`. */
export type FindAskedForm = (
  form: Form,
  version: number | undefined,
  body: Readonly<Record<string, unknown>>,
) => Promise<Form>

/**
 * Finds what a post answers: the form itself, or its fields of an earlier version when a page older than the form
 * says so. No version, or one that never was, means the form as it is now. Versions never change, so they are kept.
 */
export function createAskedForms(db: Db): FindAskedForm {
  const kept = new Map<string, readonly FormField[]>()

  async function fieldsOf(formId: number, version: number) {
    const key = `${formId}/${version}`
    const fields = kept.get(key) ?? (await findFieldsOfVersion(db, formId, version))
    if (kept.size >= KEPT_VERSIONS) kept.clear()
    if (fields) kept.set(key, fields)
    return fields
  }

  return async (form, version, body) => {
    if (version === undefined || version >= form.version) return form
    const fields = await fieldsOf(form.id, version)
    return fields ? asAsked(form, { version, fields }, body) : form
  }
}
