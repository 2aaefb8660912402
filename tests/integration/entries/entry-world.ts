import assert from 'node:assert/strict'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import type { EntryInput } from '#src/entries/editing/entry-input.ts'
import { saveEntry } from '#src/entries/editing/save-entry.ts'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { listEntries } from '#src/entries/entry-store.ts'
import { listOffersOfService } from '#src/entries/offers/location-service-store.ts'
import { type ContentType, findContentType } from '#src/entries/types/content-type-store.ts'
import type { Outcome } from '#src/lib/outcome.ts'
import { type AdminProblem, describeProblem } from '#src/messages/admin/problems.ts'
import type { TestEngine } from '../../support/database.ts'
import { addPlaces } from '../../support/small-site.ts'

export const NOW = new Date('2026-11-20T10:00:00.000Z')
export const LATER = new Date('2026-11-20T11:00:00.000Z')

export type World = Awaited<ReturnType<typeof openWorld>>

/** An engine's database with places: usa > texas > austin > zilker, texas > dallas, oklahoma > tulsa. */
export async function openWorld(engine: TestEngine) {
  const db: Kysely<Schema> = await engine.openMigrated()
  const places = await addPlaces(db, 'usa/texas/austin/zilker', 'usa/texas/dallas', 'usa/oklahoma/tulsa')
  return {
    db,
    place(slug: string) {
      const id = places.get(slug)
      assert.ok(id, `there is a place ${slug}`)
      return id
    },
    type: (slug: string) => typeOf(db, slug),
    /** Saves as the editor does. */
    async save(typeSlug: string, input: Partial<EntryInput>, id?: number) {
      const type = await typeOf(db, typeSlug)
      const outcome = await saveEntry(db, { type, id, input: anInput(input) }, { now: NOW })
      return { ...outcome, errors: errorsOf(outcome) }
    },
    /** Saves what has to be right; returns the id. */
    async saved(typeSlug: string, input: Partial<EntryInput>, id?: number): Promise<number> {
      const outcome = await saveEntry(
        db,
        { type: await typeOf(db, typeSlug), id, input: anInput(input) },
        { now: NOW },
      )
      assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
      return outcome.value
    },
    async entry(id: number) {
      const entry = await findEntryById(db, id)
      assert.ok(entry, `there is an entry ${id}`)
      return entry
    },
    offers: (serviceId: number) => listOffersOfService(db, serviceId),
    async slugsOf(typeSlug: string) {
      return (await listEntries(db, (await typeOf(db, typeSlug)).id)).map(({ slug }) => slug)
    },
  }
}

/** The sentences of an outcome's problems, by input. */
function errorsOf(outcome: Outcome<number, AdminProblem>): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const problem of outcome.kind === 'invalid' ? outcome.problems : []) {
    const input = problem.path.join('.')
    errors[input] = [...(errors[input] ?? []), describeProblem(problem)]
  }
  return errors
}

/** A published entry with nothing in it, unless said otherwise. */
function anInput(input: Partial<EntryInput>): EntryInput {
  return {
    ...{ slug: '', title: '', status: 'published', body: '', fields: {}, termIds: [], namedTerms: {} },
    ...{ publishAt: null, unpublishAt: null, redirectFrom: [] },
    ...input,
  }
}

/** A service offered in these places. */
export function aService(offeredIn: string[] = [], input: Partial<EntryInput> = {}): Partial<EntryInput> {
  return { slug: 'ac-repair', title: 'AC repair', fields: { offered_in: offeredIn }, ...input }
}

async function typeOf(db: Kysely<Schema>, slug: string): Promise<ContentType> {
  const type = await findContentType(db, slug)
  assert.ok(type, `there is a type ${slug}`)
  return type
}
