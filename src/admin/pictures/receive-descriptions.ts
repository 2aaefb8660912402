import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { type AdminFault, describeProblem } from '../../messages/admin/problems.ts'
import { changePicture } from '../../pictures/change-picture.ts'
import { MAX_ALT_LENGTH } from '../../pictures/picture.ts'
import type { LibraryPicture } from '../../pictures/picture-store.ts'
import type { Saving } from '../../versions/version.ts'
import type { AdminForm, FormValue } from '../kit/admin-form.ts'

type Values = Readonly<Record<string, FormValue>>

/**
 * Stores the descriptions of these pictures; returns the number. Undefined if one is missing without being
 * decorative, or is too long: then nothing is stored, and the form shows which.
 */
export async function receiveDescriptions(
  db: Kysely<Schema>,
  form: Pick<AdminForm<Values>, 'input' | 'fail'>,
  pictures: readonly LibraryPicture[],
  saving: Saving,
): Promise<number | undefined> {
  const values = form.input ?? {}
  const described = pictures.map((picture) => ({ picture, alt: readAlt(values, String(picture.id)) }))
  const faults = described.flatMap(({ picture, alt }) => {
    const fault = faultOfAlt(alt)
    return fault ? [{ id: picture.id, fault }] : []
  })
  for (const { id, fault } of faults) form.fail(`alt.${id}`, describeProblem({ path: [], ...fault }))
  if (faults.length > 0) return undefined
  for (const { picture, alt = '' } of described) {
    const { id, focalPoint, crop, tags } = picture
    if (alt !== picture.alt) await changePicture(db, { id, change: { alt, focalPoint, crop, tags } }, saving)
  }
  return described.length
}

/** Returns the problem with a posted description, or undefined. */
export function faultOfAlt(alt: string | undefined): AdminFault | undefined {
  if (alt === undefined) return { code: 'alt_missing' }
  return alt.length > MAX_ALT_LENGTH ? { code: 'too_long', params: { max: MAX_ALT_LENGTH } } : undefined
}

/** Returns the posted description: empty for a decorative picture, undefined if neither was given. */
export function readAlt(values: Values, id = ''): string | undefined {
  const at = (name: string) => values[id ? `${name}.${id}` : name]
  if (at('decorative') !== undefined) return ''
  return String(at('alt') ?? '').trim() || undefined
}
