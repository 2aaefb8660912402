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
import { describeTypeProblem, type TypeProblem } from '../../messages/admin/content-types.ts'
import { type AdminForm, POSTED, receiveForm, valuesByName } from '../kit/admin-form.ts'
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

/** The form of the content type that the address names, or of a new one; saved when it was posted and is right. */
export async function receiveContentType(astro: Context): Promise<ContentTypeForm | Response> {
  const { type: slug } = astro.params
  const type = slug === undefined ? undefined : await findContentType(appOf(astro).db, slug)
  if (slug !== undefined && !type) return notFound(astro)
  const form = await receiveForm(astro, POSTED, { based_on: type ? contentTypeVersion(type) : '' })
  if (!form.input) return { ...form, type, values: type ? toContentTypeInput(type) : NEW }
  if (type && !fitsTheForm(type)) return notFound(astro)
  const input = readContentTypeInput(valuesByName(form.input), type)
  const answer = await save(astro, form, { type, input })
  return answer ?? { ...form, type, values: { ...input, slug: type?.slug ?? input.slug } }
}

/** Redirects after a save. Returns undefined when the form shows problems. */
async function save(
  astro: Context,
  form: AdminForm<unknown>,
  { type, input }: { type: ContentType | undefined; input: ContentTypeInput },
): Promise<Response | undefined> {
  const { db } = astro.locals.app
  const outcome = await saveContentType(db, { existing: type?.slug, input, basedOn: form.basedOn })
  if (outcome.kind === 'not_found' || outcome.kind === 'builtin') return notFound(astro)
  if (outcome.kind === 'invalid') form.failAll(errorsOf(outcome.problems))
  if (outcome.kind === 'outdated') form.outdate('content type', outcome.version)
  if (outcome.kind !== 'saved') return undefined
  const { slug } = outcome
  const id = (await findContentType(db, slug))?.id ?? 0
  const summary = `${type ? 'Changed' : 'Added'} the content type ${input.name}`
  const next = { to: `/admin/content-types/${slug}`, text: `${input.name} is saved.` }
  return finish(astro, { action: type ? 'content_type.changed' : 'content_type.added', id, summary }, next)
}

// The first problem of each input.
function errorsOf(problems: readonly TypeProblem[]): Record<string, string[]> {
  const byInput = Map.groupBy(problems, ({ path }) => path.join('.'))
  return Object.fromEntries(
    [...byInput].map(([input, [first]]) => [input, first ? [describeTypeProblem(first)] : []]),
  )
}
