import type { AstroGlobal } from 'astro'
import type { FieldErrors } from '../../entries/types/check-fields.ts'
import { type ContentType, findContentType } from '../../entries/types/content-type-store.ts'
import { textAt, toPosted } from '../../entries/types/posted-fields.ts'
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
import { describeTypeProblem, type TypeProblem } from '../../messages/admin/content-types.ts'
import { outdatedMessage, readFormData } from '../kit/admin-form.ts'
import { finish } from '../kit/finish.ts'
import { notFound } from '../kit/not-found.ts'
import { appOf } from '../kit/page-context.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'url' | 'locals' | 'cookies' | 'rewrite'>

export interface ContentTypeForm {
  /** Undefined while it is new. */
  type: ContentType | undefined
  values: ContentTypeInput
  errors: FieldErrors
  basedOn: string | undefined
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

/** The form of the content type that the address names, or of a new one; saved when it was posted and is right. */
export async function receiveContentType(astro: Context): Promise<ContentTypeForm | Response> {
  const { type: slug } = astro.params
  const type = slug === undefined ? undefined : await findContentType(appOf(astro).db, slug)
  if (slug !== undefined && !type) return notFound(astro)
  if (astro.request.method === 'POST') return receivePost(astro, type)
  const basedOn = type && contentTypeVersion(type)
  return { type, values: type ? toContentTypeInput(type) : NEW, errors: {}, basedOn }
}

async function receivePost(
  astro: Context,
  type: ContentType | undefined,
): Promise<ContentTypeForm | Response> {
  if (type && !fitsTheForm(type)) return notFound(astro)
  const { db } = astro.locals.app
  const posted = toPosted(await readFormData(astro.request))
  const input = readContentTypeInput(posted, type)
  const basedOn = textAt('based_on', posted) || undefined
  const outcome = await saveContentType(db, { existing: type?.slug, input, basedOn })
  if (outcome.kind === 'saved') return leave(astro, { verb: type ? 'changed' : 'added', input, ...outcome })
  if (outcome.kind === 'not_found' || outcome.kind === 'builtin') return notFound(astro)
  const again = { type, values: { ...input, slug: type?.slug ?? input.slug } }
  astro.response.status = outcome.kind === 'outdated' ? 409 : 422
  if (outcome.kind === 'invalid') return { ...again, errors: errorsOf(outcome.problems), basedOn }
  return { ...again, errors: { '': [outdatedMessage('content type')] }, basedOn: outcome.version }
}

// The first problem of each input.
function errorsOf(problems: readonly TypeProblem[]): FieldErrors {
  const byInput = Map.groupBy(problems, ({ path }) => path.join('.'))
  return Object.fromEntries(
    [...byInput].map(([input, [first]]) => [input, first ? [describeTypeProblem(first)] : []]),
  )
}

async function leave(
  astro: Context,
  { verb, input, slug }: { verb: 'changed' | 'added'; input: ContentTypeInput; slug: string },
): Promise<Response> {
  const type = await findContentType(astro.locals.app.db, slug)
  const summary = `${verb === 'added' ? 'Added' : 'Changed'} the content type ${input.name}`
  const next = { to: `/admin/content-types/${slug}`, text: `${input.name} is saved.` }
  return finish(astro, { action: `content_type.${verb}`, id: type?.id ?? 0, summary }, next)
}
