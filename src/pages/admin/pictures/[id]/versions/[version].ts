import type { APIRoute } from 'astro'
import { appOf, finish, notFound, readId } from '#src/admin/kit/page-context.ts'
import { refuseSitePicture } from '#src/admin/pictures/refuse-site-picture.ts'
import { pictureActivity, pictureTexts } from '#src/messages/admin/pictures/pictures.ts'
import { restoreVersion } from '#src/pictures/change-picture.ts'
import { findPictureById } from '#src/pictures/picture-store.ts'

/** Restores an earlier version of a picture. */
export const POST: APIRoute = async (context) => {
  const { db } = appOf(context)
  const [id, versionId] = [readId(context.params.id), readId(context.params.version)]
  const picture = await findPictureById(db, id)
  const refusal = picture && (await refuseSitePicture(context, picture))
  if (refusal) return refusal
  const outcome = await restoreVersion(db, { id, versionId }, { now: new Date().toISOString() })
  if (outcome.kind !== 'saved') return notFound(context)
  const summary = pictureActivity.restored(outcome.value.name)
  const change = { action: 'picture.replaced', id, summary } as const
  return finish(context, change, { to: `/admin/pictures/${id}`, text: pictureTexts.restored })
}
