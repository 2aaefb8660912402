import type { APIContext } from 'astro'
import type { Saver } from '../../versions/version.ts'
import { getAdministrator } from '../kit/page-context.ts'

/** Returns the time and the administrator of a save, for the versions. */
export function savingBy(context: Pick<APIContext, 'locals'>, source: Saver['source'] = 'admin') {
  return { now: new Date(), by: { source, email: getAdministrator(context).email } }
}
