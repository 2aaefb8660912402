import type { AstroGlobal } from 'astro'
import { type ContentType, findContentType } from '../../entries/types/content-type-store.ts'
import {
  fitsTheForm,
  readContentTypeInput,
  toContentTypeInput,
} from '../../entries/types/read-content-type.ts'
import {
  type ContentTypeInput,
  contentTypeVersion,
  saveContentType,
} from '../../entries/types/save-content-type.ts'
import { contentTypeTexts } from '../../messages/admin/content-types.ts'
import { type AdminForm, POSTED, receiveForm, valuesByName } from '../kit/admin-form.ts'
import { answerChange } from '../kit/answer-change.ts'
import { appOf, finish, notFound } from '../kit/page-context.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'url' | 'locals' | 'cookies' | 'rewrite'>

export interface ContentTypeForm extends Pick<AdminForm<unknown>, 'errors' | 'basedOn'> {
  /** Undefined while it is new. */
  type: ContentType | undefined
  values: ContentTypeInput
}

const NEW: ContentTypeInput = {
  slug: '',
  name: '',
  description: null,
  is_routable: true,
  route_pattern: null,
  detail_partial: null,
  schema: { fields: [] },
  sort_order: 100,
}

/** Loads the form of a content type, or of a new one. Saves it if valid values were posted. */
export async function receiveContentType(astro: Context): Promise<ContentTypeForm | Response> {
  const { type: slug } = astro.params
  const type = slug === undefined ? undefined : await findContentType(appOf(astro).db, slug)
  if (slug !== undefined && !type) return notFound(astro)
  const form = await receiveForm(astro, POSTED, { based_on: type ? contentTypeVersion(type) : '' })
  if (!form.input) return { ...form, type, values: type ? toContentTypeInput(type) : NEW }
  if (type && !fitsTheForm(type)) return notFound(astro)
  const input = readContentTypeInput(valuesByName(form.input), type)
  const { db } = astro.locals.app
  const outcome = await saveContentType(db, { existing: type?.slug, input, basedOn: form.basedOn })
  const answer = await answerChange(astro, form, outcome, {
    thing: contentTypeTexts.thing,
    saved: async (saved) => {
      const id = (await findContentType(db, saved))?.id ?? 0
      const summary = type ? contentTypeTexts.changed(input.name) : contentTypeTexts.added(input.name)
      const next = { to: `/admin/content-types/${saved}`, text: contentTypeTexts.isSaved(input.name) }
      return finish(
        astro,
        { action: type ? 'content_type.changed' : 'content_type.added', id, summary },
        next,
      )
    },
  })
  return answer ?? { ...form, type, values: { ...input, slug: type?.slug ?? input.slug } }
}
