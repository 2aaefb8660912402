import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../dialects.ts'
import type { Db } from '../schema.ts'

/**
 * The leads that an account may see. Queries for screens require one, so that none forgets the limits of an account. Limited
 * to places, it excludes leads without a place; limited to forms, leads whose form was deleted.
 */
export interface LeadScope {
  /** IDs, with those of the places below; null is every place. */
  readonly places: readonly number[] | null
  /** IDs; null is every form. */
  readonly forms: readonly number[] | null
}

/** For work that the program does on its own, and for people without limits. */
export const EVERY_LEAD: LeadScope = { places: null, forms: null }

/** Returns whether a scope leaves out any lead. */
export function isNarrow({ places, forms }: LeadScope): boolean {
  return places !== null || forms !== null
}

// Each of them is looked up in the index of places; more are quicker found among all leads in their order.
const FEW_PLACES = 50

/** Returns whether the leads in a scope are found sooner by their places than in the order of the inbox. */
export function isFewPlaces({ places }: LeadScope): boolean {
  return places !== null && places.length <= FEW_PLACES
}

/** The condition that a row of `form_submissions`, under that alias, is in the scope. */
export function inScope(
  db: Db,
  { places, forms }: LeadScope,
  alias = 'form_submissions',
): RawBuilder<boolean> {
  const conditions = [
    ...(places === null ? [] : [sql`${sql.ref(`${alias}.location_id`)} in (${idsOf(db, places)})`]),
    ...(forms === null ? [] : [sql`${sql.ref(`${alias}.form_id`)} in (${numbersOf(forms)})`]),
  ]
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`
}

/** The condition that a column with the ID of a submission, null in rows of none, names one in the scope. */
export function namesInScope(db: Db, scope: LeadScope, column: string): RawBuilder<boolean> {
  if (!isNarrow(scope)) return sql`1 = 1`
  return sql`exists (select 1 from form_submissions as lead
    where lead.id = ${sql.ref(column)} and ${inScope(db, scope, 'lead')})`
}

// As one parameter: a state may have more places than a statement takes parameters.
function idsOf(db: Db, ids: readonly number[]): RawBuilder<unknown> {
  const json = JSON.stringify(ids)
  if (engineOf(db) === 'sqlite') return sql`select value from json_each(${json})`
  return sql`select jsonb_array_elements_text(${json}::jsonb)::bigint`
}

// A site has few forms. Values let the database use its indexes by form; 0, which no form has, for none.
function numbersOf(values: readonly number[]): RawBuilder<unknown> {
  return sql.join(values.length === 0 ? [0] : values)
}
