import type { AstroGlobal } from 'astro'
import type { Db } from '../../db/schema.ts'
import { partsOfSlug } from '../../entries/addresses/check-address.ts'
import {
  type EntryInput,
  emptyEntryInput,
  readEntryInput,
  toEntryInput,
} from '../../entries/editing/entry-input.ts'
import { saveEntry, stampOf } from '../../entries/editing/save-entry.ts'
import { findEntryById, findEntryName, listTermIdsOfEntry } from '../../entries/entry-lookup-store.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { asDrafted, type EntryDraft, findEntryDraft, saveDraft } from '../../entries/history/entry-draft.ts'
import { scheduleOf, schedulesChange } from '../../entries/history/scheduled-draft.ts'
import { withoutServiceText, withServiceText } from '../../entries/offers/service-text.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { type ContentType, listContentTypes } from '../../entries/types/content-type-store.ts'
import type { Posted } from '../../entries/types/posted-fields.ts'
import { isTimeZone } from '../../lib/locale/locale.ts'
import { slugOf } from '../../lib/slug.ts'
import {
  entryChanges,
  entryInputs,
  entryTexts,
  typeName,
  visibilityTexts,
} from '../../messages/admin/entries.ts'
import { draftTexts, versionChanges } from '../../messages/admin/history/versions.ts'
import {
  type BrokenTextLink,
  findBrokenLinks,
  type LabeledText,
} from '../../publish/addresses/find-broken-links.ts'
import type { EntryState } from '../../publish/states/entry-state.ts'
import { listLiveEntries } from '../../publish/states/live-site.ts'
import { type EntryEditor, loadEntryEditor } from '../../site/entry-editor.ts'
import { savingBy } from '../audit/saving-by.ts'
import { type AdminForm, POSTED, receiveForm, valuesByName } from '../kit/admin-form.ts'
import { answerChange } from '../kit/answer-change.ts'
import { formatMoment } from '../kit/format-time.ts'
import { appOf, finish, notFound, readId } from '../kit/page-context.ts'
import { shareAddress } from '../versions/share-address.ts'
import { keepStored } from './keep-stored.ts'
import { loadShownSaves, loadState } from './load-state.ts'
import { rearrange } from './rearrange.ts'
import { checkSchedule, withSchedule } from './schedule/posted-schedule.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'url' | 'locals' | 'cookies' | 'rewrite'>

/** An entry's form with its values and problems. */
export interface EntryForm extends Pick<AdminForm<unknown>, 'errors' | 'basedOn'> {
  type: ContentType
  /** Undefined for a new entry. */
  entry: Entry | undefined
  /** Its state on the live site; a new entry is a draft. */
  state: EntryState
  /** Its draft, which the form shows. */
  draft: EntryDraft | undefined
  values: EntryInput
  editor: EntryEditor
  brokenLinks: BrokenTextLink[]
}

type Edited = Pick<EntryForm, 'type' | 'entry' | 'draft' | 'values'>

/**
 * Loads the form of the entry in the URL, or of a new one, and saves it if valid values were posted. Otherwise
 * returns the response to give.
 */
export async function receiveEntry(astro: Context): Promise<EntryForm | Response> {
  const { db } = appOf(astro)
  const types = await listContentTypes(db)
  const type = types.find(({ slug }) => slug === astro.params.type)
  const id = astro.params.id === undefined ? undefined : readId(astro.params.id)
  const entry = id === undefined ? undefined : await findEntryById(db, id)
  if (!type || (id !== undefined && entry?.typeId !== type.id)) return notFound(astro)
  const { draft, edited, stamp } = await findEdited(db, entry)
  const form = await receiveForm(astro, POSTED, { based_on: stamp })
  const posted = form.input && valuesByName(form.input)
  const input = posted ? readPosted(posted, type, edited) : await startValues(astro, edited, draft)
  const act = posted ? actOf(posted) : ''
  const answer = await answerAct(astro, form, { act, type, entry, draft, values: input })
  if (answer) return answer
  const { errors, basedOn } = form
  const editor = await loadEntryEditor(db, { type, types, values: input })
  const isStart = act === 'start:body'
  const values = isStart ? startingFromService(input, editor) : input
  const service = editor.pair?.service
  const state = entry ? await loadState(appOf(astro), { type, entry, service }) : 'draft'
  const brokenLinks = await findBrokenLinks(db, textsOf(values, editor), {
    ...{ ...appOf(astro).config, types },
    now: new Date(),
  })
  return { type, entry, state, draft, values, errors, basedOn, editor, brokenLinks }
}

/** Returns the response to a button that saves; undefined for other buttons, or if the form shows problems. */
async function answerAct(
  astro: Context,
  form: AdminForm<unknown>,
  { act, ...edited }: Edited & { act: string },
): Promise<Response | undefined> {
  if (act === 'schedule') checkSchedule(form, edited.values)
  if (Object.keys(form.errors).length > 0) return undefined
  const toSave = { ...edited, values: withSchedule(act, edited) }
  const saveIt = await saveOf(astro, act, toSave)
  return saveIt?.(astro, form, toSave)
}

// Text that was typed meanwhile stays.
function startingFromService(input: EntryInput, { inherited }: EntryEditor): EntryInput {
  return { ...input, body: input.body || (inherited?.body ?? '') }
}

function textsOf({ body, fields }: EntryInput, editor: EntryEditor): LabeledText[] {
  const own = editor.fields.map(({ field }) => ({ label: field.label, text: fields[field.key] }))
  const { label } = editor.pair ? entryInputs.localText : entryInputs.text
  return [{ label, text: body }, ...own]
}

// A later date on a live page schedules the change; the page itself stays live until then.
async function saveOf(
  astro: Context,
  act: string,
  { entry, values }: Edited,
): Promise<typeof save | undefined> {
  // Only a published entry has drafts beside it.
  if (act === 'draft' || (act === 'share' && entry?.status === 'published')) return saveAside
  if (!SAVES.has(act)) return undefined
  if (!entry || !schedulesChange(values, entry, new Date())) return save
  const live = await listLiveEntries(appOf(astro).config.dataDir, [entry.id])
  return live.has(entry.id) ? saveAside : save
}

/** Returns the values that an entry's form shows: its draft, if there is one. */
async function findEdited(db: Db, entry: Entry | undefined) {
  if (!entry) return { stamp: '' }
  const draft = await findEntryDraft(db, entry.id)
  const stamp = stampOf(entry, { draftId: draft?.version.id })
  return { draft, stamp, edited: draft ? asDrafted(entry, draft.snapshot) : entry }
}

async function startValues(
  { locals, url }: Context,
  entry: Entry | undefined,
  draft: EntryDraft | undefined,
): Promise<EntryInput> {
  if (entry) {
    const termIds = draft?.snapshot.termIds ?? (await listTermIdsOfEntry(locals.app.db, entry.id))
    return toEntryInput(entry, termIds)
  }
  const [service, place] = [url.searchParams.get('service'), url.searchParams.get('place')]
  const pair = {
    ...(service && { service_entry_id: Number(service) }),
    ...(place && { location_term_id: place }),
  }
  return emptyEntryInput(pair)
}

// Other buttons change the rows of lists.
const SAVES = new Set(['save', 'draft', 'share', 'schedule'])

function actOf(posted: Posted): string {
  return posted.get('act')?.at(-1) ?? 'save'
}

function readPosted(posted: Posted, type: ContentType, entry: Entry | undefined): EntryInput {
  const values = readEntryInput(type, posted)
  const act = actOf(posted)
  if (act === 'reset:title') return { ...values, title: '' }
  if (act === 'reset:body') return { ...values, body: '' }
  if (act === 'extend:body') return { ...values, body: withServiceText(values.body) }
  if (act === 'replace:body') return { ...values, body: withoutServiceText(values.body) }
  if (!SAVES.has(act)) return { ...values, fields: rearrange(values.fields, act) }
  const isNamedByTitle = partsOfSlug(type) === 1 && !rulesOf(type.slug).namedAfter
  if (!entry) return { ...values, slug: values.slug || (isNamedByTitle ? slugOf(values.title) : '') }
  const timeZone = posted.get('time-zone')?.at(-1) ?? ''
  return keepStored(values, { type, entry, timeZone: isTimeZone(timeZone) ? timeZone : 'UTC' })
}

/** Redirects after a save. Returns undefined when the form shows problems. */
async function save(
  astro: Context,
  form: AdminForm<unknown>,
  { type, entry, values }: Edited,
): Promise<Response | undefined> {
  const { db } = astro.locals.app
  const outcome = await saveEntry(db, { type, id: entry?.id, input: values }, savingBy(astro))
  return answerChange(astro, form, outcome, {
    thing: entryTexts.noun(type.slug),
    saved: async (id) => {
      const name = await findEntryName(db, { ...values, id })
      const describe = entry ? entryChanges.changed : entryChanges.added
      const summary = describe(name, typeName(type))
      const next = {
        to: nextOf(form, { type, id }),
        text: entryChanges.isSaved(name, whenSeen(astro, values, entry)),
      }
      return finish(astro, { action: entry ? 'entry.changed' : 'entry.added', id, summary }, next)
    },
  })
}

/** Saves a draft separately from what visitors see; otherwise the same. */
async function saveAside(
  astro: Context,
  form: AdminForm<unknown>,
  { type, entry, draft, values }: Edited,
): Promise<Response | undefined> {
  if (!entry) return notFound(astro)
  const { id } = entry
  const outcome = await saveDraft(appOf(astro).db, { type, id, input: values }, savingBy(astro))
  return answerChange(astro, form, outcome, {
    thing: entryTexts.noun(type.slug),
    saved: async () => {
      const name = await findEntryName(appOf(astro).db, entry)
      const at = schedulesChange(values, entry, new Date()) ? values.publishAt : null
      const describe = at === null ? versionChanges.draftSaved : versionChanges.draftScheduled
      const summary = describe(name, typeName(type))
      const { timeZone } = appOf(astro).siteLocale.current()
      const text =
        at === null
          ? (await draftWords(astro, { type, entry, draft }))(name)
          : draftTexts.isScheduled(name, formatMoment(at, timeZone))
      const self = `/admin/entries/${type.slug}/${id}`
      const next = { to: at === null ? nextOf(form, { type, id }) : self, text }
      return finish(astro, { action: 'entry.draft_saved', id, summary }, next)
    },
  })
}

async function draftWords(astro: Context, { type, entry, draft }: Omit<Edited, 'values'> & { entry: Entry }) {
  if (draft && scheduleOf(entry, draft) !== undefined) return draftTexts.isUnscheduled
  const shown = await loadShownSaves(appOf(astro), { type, entry })
  return shown === 'none' ? draftTexts.unpublishedSaved : draftTexts.saved
}

function nextOf({ values }: AdminForm<unknown>, { type, id }: { type: ContentType; id: number }): string {
  return values.act === 'share' ? shareAddress('entry', id) : `/admin/entries/${type.slug}/${id}`
}

function whenSeen(astro: Context, { status, publishAt }: EntryInput, before: Entry | undefined): string {
  if (status === 'draft')
    return before?.status === 'published' ? visibilityTexts.removed : visibilityTexts.draft
  const { timeZone } = appOf(astro).siteLocale.current()
  if (publishAt && publishAt > new Date().toISOString())
    return visibilityTexts.scheduled(formatMoment(publishAt, timeZone))
  return visibilityTexts.published
}
