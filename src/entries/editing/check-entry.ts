import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import { describeDialable, toDialable } from '../../lib/locale/phone-number.ts'
import { type RenderedText, renderApart } from '../../lib/markdown/render-apart.ts'
import { describeTextProblem } from '../../messages/admin/texts.ts'
import { checkAddress, checkSlug } from '../addresses/check-address.ts'
import {
  formerAddressKey,
  MAX_FORMER_ADDRESSES,
  normalizeFormerAddress,
} from '../addresses/former-address.ts'
import { listFormerAddresses } from '../entry-lookup-store.ts'
import { type Entry, type EntryValues, findEntry } from '../entry-store.ts'
import { chooseTerms, listChoosableTaxonomies } from '../terms/entry-terms.ts'
import { dialedKeys, rulesOf } from '../types/builtin/registry.ts'
import { checkRow, type FieldErrors } from '../types/check-fields.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { checkText } from './check-text.ts'
import type { EntryInput } from './entry-input.ts'
import { resolveReferences } from './resolve-references.ts'

const MAX_TITLE = 200
const MAX_BODY = 200_000

/** What a checked input makes of an entry. */
export interface CheckedEntry {
  slug: string
  values: EntryValues
  termIds: number[]
}

/** The text as `checkEntry` takes it; undefined when it is too long to look at. */
export async function renderBody({ body }: Pick<EntryInput, 'body'>): Promise<RenderedText | undefined> {
  return body.length > MAX_BODY ? undefined : renderApart(body)
}

/**
 * Checks all that a person entered, everything in one go, with messages by input. `existing` is the entry that is
 * edited, with its terms.
 */
export async function checkEntry(
  db: Db,
  type: ContentType,
  { input, text }: { input: EntryInput; text: RenderedText | undefined },
  existing: { entry: Entry; termIds: readonly number[] } | undefined,
): Promise<{ checked: CheckedEntry; errors: FieldErrors }> {
  const { data, errors: unknown } = await resolveReferences(db, type, input.fields)
  const slug = (await rulesOf(type.slug).inherits?.slugOf(db, data)) ?? input.slug
  const { termIds, errors: termErrors } = chooseTerms(
    await listChoosableTaxonomies(db, type),
    input,
    existing?.termIds ?? [],
  )
  const errors = {
    ...(await checkSharedAddresses(db, input, existing?.entry)),
    ...(await checkBody(db, text)),
    ...checkRow(type, toRow(input, data)),
    ...checkLengths(input),
    ...unknown,
    ...termErrors,
    ...(await checkPhones(db, type, { data, existing: existing?.entry })),
    ...(await checkPlacement(db, type, { slug, status: input.status, id: existing?.entry.id })),
  }
  const { title, status, body, publishAt, unpublishAt, redirectFrom } = input
  const values = {
    title,
    status,
    body,
    publishAt,
    unpublishAt,
    isGenerated: false,
    redirectFrom: redirectFrom.map(normalizeFormerAddress),
    // What the schema does not know was put there by something else.
    data: { ...unknownValues(type, existing?.entry), ...data },
  }
  return { checked: { slug, values, termIds }, errors }
}

// A number that was stored before it was checked stays as long as nobody edits it.
async function checkPhones(
  db: Db,
  type: ContentType,
  { data, existing }: { data: Readonly<Record<string, unknown>>; existing: Entry | undefined },
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  for (const key of dialedKeys(type.slug)) {
    const number = data[key]
    if (typeof number !== 'string' || number.trim() === '' || number === existing?.data[key]) continue
    const { country } = await findLocale(db)
    if (toDialable(number, country) === undefined) errors[key] = [`Enter ${describeDialable(country)}.`]
  }
  return errors
}

function toRow({ title, publishAt, unpublishAt, redirectFrom }: EntryInput, data: Record<string, unknown>) {
  const timing = { publish_at: publishAt, unpublish_at: unpublishAt, redirect_from: redirectFrom }
  return { ...data, title, ...timing }
}

function checkLengths({ title, body }: EntryInput): FieldErrors {
  const errors: FieldErrors = {}
  if (title.length > MAX_TITLE) errors.title = [`Use at most ${MAX_TITLE} characters.`]
  if (body.length > MAX_BODY) errors.body = [`Use at most ${MAX_BODY.toLocaleString('en')} characters.`]
  return errors
}

async function checkBody(db: Db, text: RenderedText | undefined): Promise<FieldErrors> {
  const problems = text ? await checkText(db, text) : []
  return problems.length > 0 ? { body: problems.map(describeTextProblem) } : {}
}

// An address leads to one page: which of two it would be, nobody could tell.
async function checkSharedAddresses(
  db: Db,
  { redirectFrom }: EntryInput,
  entry: Entry | undefined,
): Promise<FieldErrors> {
  if (redirectFrom.length > MAX_FORMER_ADDRESSES)
    return { redirect_from: [`Use at most ${MAX_FORMER_ADDRESSES.toLocaleString('en')} former addresses.`] }
  const wanted = new Map(redirectFrom.map((path) => [formerAddressKey(path), normalizeFormerAddress(path)]))
  const others = wanted.size === 0 ? [] : await listFormerAddresses(db)
  const problems = others
    .filter(({ id }) => id !== entry?.id)
    .flatMap(({ title, slug, redirectFrom: paths }) =>
      paths.flatMap((path) => {
        const own = wanted.get(formerAddressKey(path))
        if (own === undefined) return []
        const as = own === path ? '' : `, as "${path}"`
        return `"${own}" leads to "${title || slug}" already${as}. Take it out there first.`
      }),
    )
  return problems.length > 0 ? { redirect_from: problems } : {}
}

async function checkPlacement(
  db: Db,
  type: ContentType,
  { slug, status, id }: { slug: string; status: Entry['status']; id: number | undefined },
): Promise<FieldErrors> {
  const { inherits } = rulesOf(type.slug)
  // Without a service or a place its fields say so.
  if (inherits && slug === '') return {}
  const problem = checkSlug(type, slug)
  if (problem) return { slug: [problem] }
  const same = await findEntry(db, type.id, slug)
  if (same && same.id !== id) {
    return inherits
      ? { [inherits.placeKey]: [inherits.taken] }
      : { slug: [`"${slug}" is the short name of another of the ${type.name} already.`] }
  }
  const taken = status === 'published' ? await checkAddress(db, type, slug) : undefined
  return taken ? { [inherits?.placeKey ?? 'slug']: [taken] } : {}
}

function unknownValues(type: ContentType, entry: Entry | undefined): Record<string, unknown> {
  const known = new Set(type.fields.map(({ key }) => key))
  return Object.fromEntries(Object.entries(entry?.data ?? {}).filter(([key]) => !known.has(key)))
}
