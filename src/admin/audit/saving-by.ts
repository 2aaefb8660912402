import type { APIContext } from 'astro'
import type { Saver } from '../../versions/version.ts'
import { getAdministrator } from '../kit/page-context.ts'

/** When and by whom something is saved that an administrator posted, for its versions. */
export function savingBy(context: Pick<APIContext, 'locals'>, source: Saver['source'] = 'admin') {
  return { now: new Date(), by: { source, email: getAdministrator(context).email } }
}
