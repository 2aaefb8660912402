import type { Db } from '../../db/schema.ts'
import { keepVersion } from '../../versions/keep-version.ts'
import type { Saving, Subject } from '../../versions/version.ts'
import type { Form } from '../form.ts'
import type { FormDefinition } from '../form-definition.ts'
import { findForm, findFormById, toFormDefinition } from '../form-store.ts'

/** The content of a form version. Webhooks, which have secrets, aren't part of it. */
export type FormSnapshot = FormDefinition & { slug: string }

/** The form with this ID as the subject of versions. */
export function formSubject(id: number): Subject {
  return { kind: 'form', id }
}

/** Returns a form's current content as a version. */
export function toFormSnapshot(form: Form): FormSnapshot {
  return { slug: form.slug, ...toFormDefinition(form) }
}

/**
 * Changes or adds the form with this slug and records the result as a version. Returns the form, or undefined
 * if there is none. Call it inside a transaction.
 */
export async function recordForm(
  db: Db,
  slug: string,
  change: () => Promise<unknown>,
  saving: Saving,
): Promise<Form | undefined> {
  const before = await findForm(db, slug)
  await change()
  const form = await (before ? findFormById(db, before.id) : findForm(db, slug))
  if (!form) return undefined
  const former = before && { content: toFormSnapshot(before), savedAt: before.updatedAt }
  await keepVersion(db, formSubject(form.id), { before: former, after: toFormSnapshot(form) }, saving)
  return form
}
