import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import { toDialable } from '../../lib/locale/phone-number.ts'
import { type RenderedText, renderApart } from '../../lib/markdown/render-apart.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { checkSlug, findAddressProblem } from '../addresses/check-address.ts'
import {
  formerAddressKey,
  MAX_FORMER_ADDRESSES,
  normalizeFormerAddress,
} from '../addresses/former-address.ts'
import { listFormerAddresses } from '../entry-lookup-store.ts'
import { type Entry, type EntryValues, findEntry } from '../entry-store.ts'
import { chooseTerms, listChoosableTaxonomies } from '../terms/entry-terms.ts'
import { dialedKeys, rulesOf } from '../types/builtin/registry.ts'
import { checkRow } from '../types/check-fields.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { checkText } from './check-text.ts'
import type { EntryInput } from './entry-input.ts'
import { resolveReferences } from './resolve-references.ts'

const MAX_TITLE = 200
const MAX_BODY = 200_000

/** An entry made from checked input. */
export interface CheckedEntry {
  slug: string
  values: Required<EntryValues>
  termIds: number[]
}

/** Returns the text in the form that `checkEntry` expects; undefined if it is too long to process. */
export async function renderBody({ body }: Pick<EntryInput, 'body'>): Promise<RenderedText | undefined> {
  return body.length > MAX_BODY ? undefined : renderApart(body)
}

/**
 * Checks everything a person entered at once. If an input has several problems, the last one is reported. `existing`
 * is the entry being edited, with its terms.
 */
export async function checkEntry(
  db: Db,
  type: ContentType,
  { input, text }: { input: EntryInput; text: RenderedText | undefined },
  existing: { entry: Entry; termIds: readonly number[] } | undefined,
): Promise<{ checked: CheckedEntry; problems: AdminProblem[] }> {
  const { data, problems: unknown } = await resolveReferences(db, type, input.fields)
  const slug = (await rulesOf(type.slug).inherits?.slugOf(db, data)) ?? input.slug
  const { termIds, problems: unknownTerms } = chooseTerms(
    await listChoosableTaxonomies(db, type),
    input,
    existing?.termIds ?? [],
  )
  const checks = [
    await checkSharedAddresses(db, input, existing?.entry),
    await checkBody(db, text),
    checkRow(type, toRow(input, data)),
    checkLengths(input),
    unknown,
    unknownTerms,
    await checkPhones(db, type, { data, existing: existing?.entry }),
    await checkPlacement(db, type, { slug, status: input.status, id: existing?.entry.id }),
  ]
  const byInput = checks.flatMap((problems) => [...Map.groupBy(problems, ({ path }) => path.join('.'))])
  const { title, status, body, publishAt, unpublishAt, redirectFrom } = input
  const values = {
    title,
    status,
    body,
    publishAt,
    unpublishAt,
    isGenerated: false,
    redirectFrom: redirectFrom.map(normalizeFormerAddress),
    // The data may contain keys that the schema doesn't have, stored by something else.
    data: { ...unknownValues(type, existing?.entry), ...data },
  }
  return { checked: { slug, values, termIds }, problems: [...new Map(byInput).values()].flat() }
}

// A number stored before numbers were checked stays until someone edits it.
async function checkPhones(
  db: Db,
  type: ContentType,
  { data, existing }: { data: Readonly<Record<string, unknown>>; existing: Entry | undefined },
): Promise<AdminProblem[]> {
  const problems: AdminProblem[] = []
  for (const key of dialedKeys(type.slug)) {
    const number = data[key]
    if (typeof number !== 'string' || number.trim() === '' || number === existing?.data[key]) continue
    const { country } = await findLocale(db)
    if (toDialable(number, country) === undefined)
      problems.push({ path: [key], code: 'undialable', params: { country } })
  }
  return problems
}

function toRow({ title, publishAt, unpublishAt, redirectFrom }: EntryInput, data: Record<string, unknown>) {
  const timing = { publish_at: publishAt, unpublish_at: unpublishAt, redirect_from: redirectFrom }
  return { ...data, title, ...timing }
}

function checkLengths({ title, body, redirectFrom }: EntryInput): AdminProblem[] {
  const problems: AdminProblem[] = []
  if (redirectFrom.length > MAX_FORMER_ADDRESSES)
    problems.push({ path: ['redirect_from'], code: 'redirects_many', params: { max: MAX_FORMER_ADDRESSES } })
  if (title.length > MAX_TITLE)
    problems.push({ path: ['title'], code: 'too_long', params: { max: MAX_TITLE } })
  if (body.length > MAX_BODY) problems.push({ path: ['body'], code: 'too_long', params: { max: MAX_BODY } })
  return problems
}

async function checkBody(db: Db, text: RenderedText | undefined): Promise<AdminProblem[]> {
  return text ? (await checkText(db, text)).map((fault) => ({ path: ['body'], ...fault })) : []
}

/** Checks that no other entry redirects from the same address, because the target would be ambiguous. */
export async function checkSharedAddresses(
  db: Db,
  { redirectFrom }: Pick<EntryInput, 'redirectFrom'>,
  entry: Entry | undefined,
): Promise<AdminProblem[]> {
  const wanted = new Map(redirectFrom.map((path) => [formerAddressKey(path), normalizeFormerAddress(path)]))
  const others = wanted.size === 0 ? [] : await listFormerAddresses(db)
  return others
    .filter(({ id }) => id !== entry?.id)
    .flatMap(({ title, slug, redirectFrom: paths }) =>
      paths.flatMap((path) => {
        const own = wanted.get(formerAddressKey(path))
        if (own === undefined) return []
        const params = { path: own, owner: title || slug, as: path }
        return [{ path: ['redirect_from'], code: 'redirect_taken' as const, params }]
      }),
    )
}

/** Checks that an entry's slug is valid and free, and the address too if it is published. */
export async function checkPlacement(
  db: Db,
  type: ContentType,
  { slug, status, id }: { slug: string; status: Entry['status']; id: number | undefined },
): Promise<AdminProblem[]> {
  const { inherits } = rulesOf(type.slug)
  // If the service or place is missing, their own fields report it.
  if (inherits && slug === '') return []
  const problem = checkSlug(type, slug)
  if (problem) return [{ path: ['slug'], ...problem }]
  const same = await findEntry(db, type.id, slug)
  if (same && same.id !== id) {
    return inherits
      ? [{ path: [inherits.placeKey], code: 'place_taken' }]
      : [{ path: ['slug'], code: 'entry_slug_taken', params: { slug } }]
  }
  const taken = status === 'published' ? await findAddressProblem(db, type, [slug]) : undefined
  return taken ? [{ path: [inherits?.placeKey ?? 'slug'], ...taken }] : []
}

function unknownValues(type: ContentType, entry: Entry | undefined): Record<string, unknown> {
  const known = new Set(type.fields.map(({ key }) => key))
  return Object.fromEntries(Object.entries(entry?.data ?? {}).filter(([key]) => !known.has(key)))
}
