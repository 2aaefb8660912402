import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { findOutdated, type Outcome, versionOf } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { describeRule } from '../../messages/files/rules/rule.ts'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { partsOfSlug } from '../addresses/check-address.ts'
import { type AddressProblem, findAddressProblems } from '../addresses/entry-addresses.ts'
import { countEntriesByType } from '../entry-list-store.ts'
import {
  contentTypeDefinition,
  isTakenTypeSlug,
  isTypeSlug,
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

/** A content type as entered: the keys of its file (contract §3). */
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

/** The slug of the type, or the reason why it wasn't saved. */
type SaveContentTypeOutcome = Outcome<string, AdminProblem, 'builtin'>

/** Returns a text that differs whenever the editable values of a content type differ. */
export function contentTypeVersion(type: ContentType): string {
  return versionOf(type)
}

/**
 * Creates a content type, or changes the one with the slug `existing`, which can't change. Built-in types can't be
 * changed. Refused if an entry would lose its address. `basedOn` is the `contentTypeVersion` that the person saw.
 */
export async function saveContentType(
  db: Kysely<Schema>,
  change: ContentTypeChange,
): Promise<SaveContentTypeOutcome> {
  try {
    return await changeContent(db, async (trx) => {
      const { existing } = change
      const type = existing === undefined ? undefined : await findContentType(trx, existing)
      if (existing !== undefined && !type) return { kind: 'not_found' }
      return type?.isBuiltin ? { kind: 'refused', code: 'builtin' } : await save(trx, type, change)
    })
  } catch (error) {
    if (error instanceof WrongAddress) return { kind: 'invalid', problems: [error.problem] }
    throw error
  }
}

/** Rolls back a transaction that would give an entry an invalid address. */
class WrongAddress extends Error {
  readonly problem: AdminProblem

  constructor({ slug, fault }: AddressProblem) {
    super(`The address of ${slug} is wrong: ${fault.code}`)
    const params = { slug, fault: describeRule(fault) }
    this.problem = { path: ['route_pattern'], code: 'address_taken', params }
  }
}

async function save(
  db: Db,
  type: ContentType | undefined,
  { input, basedOn }: ContentTypeChange,
): Promise<SaveContentTypeOutcome> {
  const outdated = type && findOutdated(contentTypeVersion(type), basedOn)
  if (outdated) return outdated
  const { values, problems } = await check(db, type, input)
  if (!values || problems.length > 0) return { kind: 'invalid', problems: firstOfEachInput(problems) }
  await write(db, type, input.slug, values)
  return { kind: 'saved', value: type?.slug ?? input.slug }
}

// Further problems of an input follow from the first.
function firstOfEachInput(problems: readonly AdminProblem[]): AdminProblem[] {
  return [...new Map(problems.toReversed().map((one) => [one.path.join('.'), one])).values()].toReversed()
}

async function write(db: Db, type: ContentType | undefined, slug: string, values: ContentTypeValues) {
  if (type) await updateContentType(db, type.id, values)
  else await insertContentType(db, slug, values)
  const [problem] = await findAddressProblems(db)
  if (problem) throw new WrongAddress(problem)
}

async function check(db: Db, type: ContentType | undefined, { slug, ...definition }: ContentTypeInput) {
  const parsed = contentTypeDefinition(type?.slug ?? slug, type?.fields).safeParse(definition)
  const values = parsed.success ? toContentTypeValues(parsed.data) : undefined
  const problems = [
    ...(parsed.error?.issues ?? []).map(toProblem),
    ...(type ? [] : await checkTypeSlug(db, slug)),
    ...(type && values ? await checkParts(db, type, values) : []),
  ]
  return { values, problems }
}

async function checkTypeSlug(db: Db, slug: string): Promise<AdminProblem[]> {
  const path = ['slug']
  if (!isTypeSlug(slug)) return [{ path, code: 'slug_invalid' }]
  const isTaken = isTakenTypeSlug(slug) || (await findContentType(db, slug)) !== undefined
  return isTaken ? [{ path, code: 'slug_taken', params: { slug } }] : []
}

async function checkParts(db: Db, type: ContentType, values: ContentTypeValues): Promise<AdminProblem[]> {
  const [before, after] = [partsOfSlug(type), partsOfSlug(values)]
  if (before === after) return []
  const counts = (await countEntriesByType(db)).get(type.id)
  const entries = (counts?.draft ?? 0) + (counts?.published ?? 0)
  if (entries === 0) return []
  return [{ path: ['route_pattern'], code: 'parts_changed', params: { entries, before, after } }]
}

function toProblem(issue: z.core.$ZodIssue): AdminProblem {
  const problem = problemOf(issue)
  const path = problem.path[0] === 'schema' ? problem.path.slice(1) : problem.path
  const [input, isInField] = [path.at(-1), path.length > 1]
  if (!isInField && input === 'name') return { path, code: 'name_missing' }
  if (isInField && input === 'label') return { path, code: 'label_missing' }
  const isTaken = problem.code === 'key_taken' || problem.code === 'part_key_taken'
  if (isInField && input === 'key' && !isTaken) return { path, code: 'key_invalid' }
  return { ...problem, path }
}

/** Deletes a custom content type with all its entries. Returns false if it is built in or doesn't exist. */
export function removeContentType(db: Kysely<Schema>, slug: string): Promise<boolean> {
  return changeContent(db, async (trx) => {
    const type = await findContentType(trx, slug)
    if (!type || type.isBuiltin) return false
    await deleteContentType(trx, type.id)
    return true
  })
}
