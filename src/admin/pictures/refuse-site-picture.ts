import type { APIContext } from 'astro'
import { can } from '../../auth/roles/capabilities.ts'
import { pictureTexts } from '../../messages/admin/pictures/pictures.ts'
import { isPictureOfSite } from '../../site/pictures/picture-places.ts'
import { appOf, getAdministrator, refuse } from '../kit/page-context.ts'

type Context = Pick<APIContext, 'locals' | 'cookies' | 'url'>

/**
 * Refuses (303, with the reason) to change a picture used in the settings or a form, such as the logo, for users who
 * may not change settings; undefined for everyone else.
 */
export async function refuseSitePicture(
  context: Context,
  { id, name }: { id: number; name: string },
): Promise<Response | undefined> {
  if (can(getAdministrator(context), 'edit_settings')) return undefined
  if (!(await isPictureOfSite(appOf(context).db, name))) return undefined
  return refuse(context, { to: `/admin/pictures/${id}`, text: pictureTexts.siteRefusal(name) })
}
