import type { AstroGlobal } from 'astro'
import { partsOfSlug } from '../../entries/addresses/check-address.ts'
import {
  type EntryInput,
  emptyEntryInput,
  readEntryInput,
  toEntryInput,
} from '../../entries/editing/entry-input.ts'
import { saveEntry } from '../../entries/editing/save-entry.ts'
import { findEntryById, listTermIdsOfEntry } from '../../entries/entry-lookup-store.ts'
import type { Entry } from '../../entries/entry-store.ts'
import type { FieldErrors } from '../../entries/types/check-fields.ts'
import { type ContentType, listContentTypes } from '../../entries/types/content-type-store.ts'
import { toPosted } from '../../entries/types/posted-fields.ts'
import { isTimeZone } from '../../lib/locale/locale.ts'
import { slugOf } from '../../lib/slug.ts'
import { type EntryEditor, loadEntryEditor } from '../../site/entry-editor.ts'
import { outdatedMessage, readFormData } from '../kit/admin-form.ts'
import { finish } from '../kit/finish.ts'
import { notFound } from '../kit/not-found.ts'
import { appOf, readId } from '../kit/page-context.ts'
import { keepStored } from './keep-stored.ts'
import { rearrange } from './rearrange.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'url' | 'locals' | 'cookies' | 'rewrite'>

/** An entry's form: what it shows, and what is wrong with it. */
export interface EntryForm {
  type: ContentType
  /** Undefined while it is new. */
  entry: Entry | undefined
  values: EntryInput
  errors: FieldErrors
  editor: EntryEditor
}

/**
 * The form of the entry that the address names, or of a new one; saved when it was posted and is right. Otherwise the
 * answer to give.
 */
export async function receiveEntry(astro: Context): Promise<EntryForm | Response> {
  const { db } = appOf(astro)
  const types = await listContentTypes(db)
  const type = types.find(({ slug }) => slug === astro.params.type)
  const id = astro.params.id === undefined ? undefined : readId(astro.params.id)
  const entry = id === undefined ? undefined : await findEntryById(db, id)
  if (!type || (id !== undefined && entry?.typeId !== type.id)) return notFound(astro)
  const received =
    astro.request.method === 'POST'
      ? await receivePost(astro, type, entry)
      : { values: await startValues(astro, entry), errors: {} }
  if (received instanceof Response) return received
  return {
    type,
    entry,
    ...received,
    editor: await loadEntryEditor(db, { type, types, values: received.values }),
  }
}

type Received = Pick<EntryForm, 'values' | 'errors'>

async function startValues({ locals, url }: Context, entry: Entry | undefined): Promise<EntryInput> {
  if (entry) return toEntryInput(entry, await listTermIdsOfEntry(locals.app.db, entry.id))
  const [service, place] = [url.searchParams.get('service'), url.searchParams.get('place')]
  const pair = {
    ...(service && { service_entry_id: Number(service) }),
    ...(place && { location_term_id: place }),
  }
  return emptyEntryInput(pair)
}

async function receivePost(
  astro: Context,
  type: ContentType,
  entry: Entry | undefined,
): Promise<Received | Response> {
  const posted = toPosted(await readFormData(astro.request))
  const values = readEntryInput(type, posted)
  const act = posted.get('act')?.at(-1) ?? 'save'
  if (act === 'reset:title') return { values: { ...values, title: '' }, errors: {} }
  if (act === 'reset:body') return { values: { ...values, body: '' }, errors: {} }
  if (act !== 'save') return { values: { ...values, fields: rearrange(values.fields, act) }, errors: {} }
  if (!entry && values.slug === '' && partsOfSlug(type) === 1) values.slug = slugOf(values.title)
  if (!entry) return save(astro, type, entry, values)
  const timeZone = posted.get('time_zone')?.at(-1) ?? ''
  const known = { type, entry, timeZone: isTimeZone(timeZone) ? timeZone : 'UTC' }
  return save(astro, type, entry, keepStored(values, known))
}

async function save(
  astro: Context,
  type: ContentType,
  entry: Entry | undefined,
  values: EntryInput,
): Promise<Received | Response> {
  const { db } = astro.locals.app
  const outcome = await saveEntry(db, { type, id: entry?.id, input: values }, { now: new Date() })
  if (outcome.kind === 'not_found') return notFound(astro)
  if (outcome.kind === 'saved') {
    const name = values.title || (await findEntryById(db, outcome.id))?.slug || values.slug
    const verb = entry ? 'changed' : 'added'
    const summary = `${entry ? 'Changed' : 'Added'} "${name}" in ${type.name}`
    const { id } = outcome
    const text = `"${name}" is saved. ${whenSeen(values, entry)}`
    const next = { to: `/admin/entries/${type.slug}/${id}`, text }
    return finish(astro, { action: `entry.${verb}`, id, summary }, next)
  }
  astro.response.status = outcome.kind === 'invalid' ? 422 : 409
  if (outcome.kind === 'invalid') return { values, errors: outcome.errors }
  const again = { ...values, basedOn: outcome.entry.updatedAt }
  return { values: again, errors: { '': [outdatedMessage('entry')] } }
}

function whenSeen({ status, publishAt }: EntryInput, before: Entry | undefined): string {
  if (status === 'draft')
    return before?.status === 'published'
      ? 'It goes from the site with the next publish.'
      : 'As a draft nobody sees it.'
  if (publishAt && publishAt > new Date().toISOString()) return 'It goes live on its own at the time you set.'
  return 'Visitors see it after the next publish.'
}
