import type { APIContext } from 'astro'
import type { Saver, Saving } from '../../versions/version.ts'
import { savingBy } from '../audit/saving-by.ts'

/** Returns the time and the administrator of a picture's save. */
export function savingPicture(
  context: Pick<APIContext, 'locals'>,
  source: Saver['source'] = 'admin',
): Saving {
  const { now, by } = savingBy(context, source)
  return { now: now.toISOString(), by }
}
