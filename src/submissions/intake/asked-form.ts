import type { Db } from '../../db/schema.ts'
import { asAsked } from '../../forms/fields/asked-fields.ts'
import type { Form } from '../../forms/form.ts'
import { type FormerVersion, findFormerVersion } from '../../forms/form-version-store.ts'

const KEPT_VERSIONS = 500
const DAY_MS = 24 * 3_600_000
/** Static copies, caches, and open tabs may show a replaced form for a while. */
const ACCEPTED_AFTER_REPLACEMENT_MS = 30 * DAY_MS

/** Returns the form as shown by the page that sends `_v`. */
export type FindAskedForm = (
  form: Form,
  version: number | undefined,
  body: Readonly<Record<string, unknown>>,
) => Promise<Form>

export interface AskedFormsOptions {
  now: () => Date
  /** Creation time of the oldest release that a visitor may still see (UTC text); undefined without releases. */
  findOldestRelease: () => Promise<string | undefined>
}

/**
 * Finds the form that a post answers: the current one, or the earlier version named in the post. An earlier version
 * is accepted while a kept release may show it, and for 30 days after it was replaced. An unknown version means the
 * current form. Versions never change, so they are cached in memory.
 */
export function createAskedForms(db: Db, { now, findOldestRelease }: AskedFormsOptions): FindAskedForm {
  const kept = new Map<string, FormerVersion>()

  async function findVersion(formId: number, version: number) {
    const key = `${formId}/${version}`
    const found = kept.get(key) ?? (await findFormerVersion(db, formId, version))
    if (kept.size >= KEPT_VERSIONS) kept.clear()
    if (found) kept.set(key, found)
    return found
  }

  async function isAccepted({ replacedAt }: FormerVersion): Promise<boolean> {
    if (now().getTime() - Date.parse(replacedAt) <= ACCEPTED_AFTER_REPLACEMENT_MS) return true
    const oldest = await findOldestRelease()
    return oldest !== undefined && oldest <= replacedAt
  }

  return async (form, version, body) => {
    if (version === undefined || version >= form.version) return form
    const found = await findVersion(form.id, version)
    if (!found || !(await isAccepted(found))) return form
    return asAsked(form, { version, fields: found.fields }, body)
  }
}
