import type { APIContext } from 'astro'
import { can } from '../../auth/roles/capabilities.ts'
import type { Db } from '../../db/schema.ts'
import { restoreTrashed } from '../../entries/trash/restore-trashed.ts'
import { findContentType } from '../../entries/types/content-type-store.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { typeName } from '../../messages/admin/entries.ts'
import { nounOfTrashed } from '../../messages/admin/history/trash.ts'
import { areaLabels } from '../../messages/admin/navigation.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { taxonomyName } from '../../messages/admin/taxonomies.ts'
import { restoreTrashedPicture } from '../../pictures/trash-picture.ts'
import { restoreTrashedForm } from '../../submissions/trash-form.ts'
import { findTaxonomy } from '../../taxonomies/taxonomy-store.ts'
import { findTrashed, type TrashSubject } from '../../versions/trash-store.ts'
import { savingBy } from '../audit/saving-by.ts'
import { appOf, getAdministrator } from '../kit/page-context.ts'
import { findRestoredState, type RestoredState } from './restored-state.ts'

/** Restored content, and its URL in the admin. */
interface RestoredContent extends Located {
  action: 'entry.undeleted' | 'term.undeleted' | 'form.undeleted' | 'picture.undeleted'
  id: number
  name: string
  noun: string
  state: RestoredState
}

interface Located {
  /** Name of its list. */
  area: string
  /** URL of its editor. */
  to: string
}

type Restored = TrashSubject & { typeSlug: string; name: string }
type RestoreOutcome<Value> = Outcome<Value, AdminProblem, 'not_allowed'>

/** Restores an item from the trash. Refused for a form if the user may not edit forms. */
export async function restoreFromTrash(
  context: Pick<APIContext, 'locals'>,
  trashId: number,
): Promise<RestoreOutcome<RestoredContent>> {
  const outcome = await restore(context, trashId)
  if (outcome.kind !== 'saved') return outcome
  const { kind, id, name, typeSlug } = outcome.value
  const app = appOf(context)
  const noun = nounOfTrashed({ subject: outcome.value, typeSlug })
  const state = await findRestoredState(app, outcome.value)
  const located = await locate(app.db, outcome.value)
  return { kind: 'saved', value: { action: `${kind}.undeleted`, id, name, noun, state, ...located } }
}

async function restore(
  context: Pick<APIContext, 'locals'>,
  trashId: number,
): Promise<RestoreOutcome<Restored>> {
  const { db } = appOf(context)
  const saving = savingBy(context, 'restored')
  const kind = (await findTrashed(db, trashId))?.trashed.subject.kind
  if (kind === 'form') {
    if (!can(getAdministrator(context), 'edit_forms')) return { kind: 'refused', code: 'not_allowed' }
    const outcome = await restoreTrashedForm(db, trashId, saving)
    if (outcome.kind !== 'saved') return outcome
    const { id, slug, name } = outcome.value
    return { kind: 'saved', value: { kind, id, name, typeSlug: slug } }
  }
  if (kind === 'picture') {
    const outcome = await restoreTrashedPicture(db, trashId)
    return outcome.kind === 'saved'
      ? { kind: 'saved', value: { kind, typeSlug: '', ...outcome.value } }
      : outcome
  }
  return restoreTrashed(db, trashId, saving)
}

async function locate(db: Db, { kind, id, typeSlug }: Restored): Promise<Located> {
  if (kind === 'form') return { area: areaLabels.forms, to: `/admin/forms/${typeSlug}` }
  if (kind === 'picture') return { area: areaLabels.pictures, to: `/admin/pictures/${id}` }
  if (kind === 'entry') {
    const type = await findContentType(db, typeSlug)
    return {
      area: typeName(type ?? { slug: typeSlug, name: typeSlug }),
      to: `/admin/entries/${typeSlug}/${id}`,
    }
  }
  const name = (await findTaxonomy(db, typeSlug))?.name ?? typeSlug
  return {
    area: taxonomyName({ slug: typeSlug, name }),
    to: `/admin/taxonomies/${typeSlug}/terms/${id}`,
  }
}
