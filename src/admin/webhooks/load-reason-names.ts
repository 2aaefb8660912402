import type { Db } from '../../db/schema.ts'
import type { FormField } from '../../forms/form.ts'
import { listForms } from '../../forms/form-store.ts'
import {
  type ConditionNames,
  type ConditionTrace,
  placesOfTrace,
} from '../../messages/admin/webhooks/conditions.ts'
import { listPlaceNames } from '../../taxonomies/taxonomy-store.ts'

type Traces = readonly (ConditionTrace | null | undefined)[]

/** Loads the names used in reasons: places, and the form's fields. */
export async function loadReasonNames(
  db: Db,
  traces: Traces,
  fields: readonly FormField[] = [],
): Promise<ConditionNames> {
  const slugs = traces.flatMap((trace) => (trace ? placesOfTrace(trace) : []))
  const places = await listPlaceNames(db, [...new Set(slugs)])
  return { places, questions: new Map(fields.map((field) => [field.name, field])) }
}

/** Does the same for reasons of several forms, by form ID. */
export async function loadReasonNamesOfForms(
  db: Db,
  traces: Traces,
): Promise<(formId: number | undefined) => ConditionNames> {
  const { places } = await loadReasonNames(db, traces)
  const forms = traces.some(Boolean) ? await listForms(db) : []
  const questions = new Map(
    forms.map(({ id, fields }) => [id, new Map(fields.map((field) => [field.name, field]))]),
  )
  return (formId) => {
    const ofForm = questions.get(formId ?? 0)
    return { ...(places && { places }), ...(ofForm && { questions: ofForm }) }
  }
}
