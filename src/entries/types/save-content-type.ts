import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { createMessages } from '../../lib/messages.ts'
import { problemCode } from '../../lib/problem-code.ts'
import { versionOf } from '../../lib/stored-version.ts'
import { partsOfSlug, TakenAddress, unlessTaken } from '../addresses/check-address.ts'
import { findAddressProblems } from '../addresses/entry-addresses.ts'
import { countEntriesByType } from '../entry-list-store.ts'
import type { FieldErrors } from './check-fields.ts'
import {
  contentTypeDefinition,
  isTakenTypeSlug,
  isTypeSlug,
  TYPE_SLUG_RULE,
  toContentTypeValues,
} from './content-type-definition.ts'
import {
  type ContentType,
  type ContentTypeValues,
  deleteContentType,
  findContentType,
  insertContentType,
  updateContentType,
} from './content-type-store.ts'

/** A content type as a person describes it: the keys of its file (contract §3). */
export interface ContentTypeInput {
  slug: string
  name: string
  description: string | null
  is_routable: boolean
  route_pattern: string | null
  detail_partial: string | null
  schema: { fields: unknown[] }
  sort_order: number
}

interface ContentTypeChange {
  existing?: string | undefined
  input: ContentTypeInput
  basedOn?: string | undefined
}

export type SaveContentTypeOutcome =
  | { kind: 'saved'; slug: string }
  | { kind: 'invalid'; errors: FieldErrors }
  | { kind: 'not_found' }
  | { kind: 'builtin' }
  /** Somebody else changed it to `version` after this person had begun. */
  | { kind: 'outdated'; version: string }

/** Another text for other values of what a person decides about a content type. */
export function contentTypeVersion(type: ContentType): string {
  return versionOf(type)
}

/**
 * Makes a content type of one's own, or changes the one with the slug `existing`, which keeps its slug. Built-in types
 * are part of the program and stay as they are. Refused when an entry of it would lose its address. `basedOn` is the
 * `contentTypeVersion` that the person saw.
 */
export async function saveContentType(
  db: Kysely<Schema>,
  change: ContentTypeChange,
): Promise<SaveContentTypeOutcome> {
  return unlessTaken<SaveContentTypeOutcome>(
    db,
    async (trx) => {
      const { existing } = change
      const type = existing === undefined ? undefined : await findContentType(trx, existing)
      if (existing !== undefined && !type) return { kind: 'not_found' }
      return type?.isBuiltin ? { kind: 'builtin' } : save(trx, type, change)
    },
    (reason) => ({ kind: 'invalid', errors: { route_pattern: [reason] } }),
  )
}

async function save(
  db: Db,
  type: ContentType | undefined,
  { input, basedOn }: ContentTypeChange,
): Promise<SaveContentTypeOutcome> {
  const version = type && contentTypeVersion(type)
  if (version && basedOn !== undefined && basedOn !== version) return { kind: 'outdated', version }
  const { values, errors } = await check(db, type, input)
  if (!values || Object.keys(errors).length > 0) return { kind: 'invalid', errors }
  await write(db, type, input.slug, values)
  return { kind: 'saved', slug: type?.slug ?? input.slug }
}

async function write(db: Db, type: ContentType | undefined, slug: string, values: ContentTypeValues) {
  if (type) await updateContentType(db, type.id, values)
  else await insertContentType(db, slug, values)
  const [problem] = await findAddressProblems(db)
  if (problem)
    throw new TakenAddress(`With this pattern "${problem.slug}" has a wrong address: ${problem.message}.`)
}

async function check(db: Db, type: ContentType | undefined, { slug, ...definition }: ContentTypeInput) {
  const parsed = contentTypeDefinition(type?.slug ?? slug).safeParse(definition)
  const errors: FieldErrors = {}
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path[0] === 'schema' ? issue.path.slice(1) : issue.path
    errors[path.join('.')] ??= [describeProblem(path, issue)]
  }
  const slugProblem = type ? undefined : await checkTypeSlug(db, slug)
  if (slugProblem) errors.slug = [slugProblem]
  const values = parsed.success ? toContentTypeValues(parsed.data) : undefined
  const partsProblem = type && values ? await checkParts(db, type, values) : undefined
  if (partsProblem) errors.route_pattern = [partsProblem]
  return { values, errors }
}

async function checkTypeSlug(db: Db, slug: string): Promise<string | undefined> {
  if (!isTypeSlug(slug)) return `Use ${TYPE_SLUG_RULE}, such as projects.`
  const isTaken = isTakenTypeSlug(slug) || (await findContentType(db, slug)) !== undefined
  return isTaken ? `"${slug}" is taken. Choose another.` : undefined
}

// Slugs have a part for each placeholder: entries that are there fit no other number.
async function checkParts(db: Db, type: ContentType, values: ContentTypeValues): Promise<string | undefined> {
  const [before, after] = [partsOfSlug(type), partsOfSlug(values)]
  if (before === after) return undefined
  const counts = (await countEntriesByType(db)).get(type.id)
  const entries = (counts?.draft ?? 0) + (counts?.published ?? 0)
  if (entries === 0) return undefined
  return `There are ${entries} entries whose short names have ${before} parts, and this pattern asks for ${after}.`
}

const describe = createMessages({
  name_missing: () => 'A name is needed.',
  label_missing: () => 'A label is needed: people see it beside the field.',
  key_invalid: () =>
    'Use lower-case letters, digits and underscores, beginning with a letter, such as finished_on.',
  /** What the schema says. */
  invalid: ({ rule }: { rule: string }) => `${upperFirst(rule)}.`,
})

function describeProblem(path: readonly PropertyKey[], issue: z.core.$ZodIssue): string {
  if (path.length === 1 && path[0] === 'name') return describe({ code: 'name_missing' })
  const isInField = path.length > 1
  if (isInField && path.at(-1) === 'label') return describe({ code: 'label_missing' })
  if (isInField && path.at(-1) === 'key' && problemCode(issue) !== 'taken')
    return describe({ code: 'key_invalid' })
  return describe({ code: 'invalid', params: { rule: issue.message } })
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Deletes a content type of one's own with all its entries. False for a built-in one, or when there is none. */
export function removeContentType(db: Kysely<Schema>, slug: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const type = await findContentType(trx, slug)
    if (!type || type.isBuiltin) return false
    await deleteContentType(trx, type.id)
    return true
  })
}
