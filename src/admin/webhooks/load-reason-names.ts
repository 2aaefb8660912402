import type { Db } from '../../db/schema.ts'
import type { FormField } from '../../forms/form.ts'
import { listForms } from '../../forms/form-store.ts'
import {
  type ConditionNames,
  type ConditionTrace,
  slugsOfTrace,
} from '../../messages/admin/webhooks/conditions.ts'
import { listPlacesBySlug, listServicesBySlug } from '../../submissions/search/names-store.ts'

type Traces = readonly (ConditionTrace | null | undefined)[]

/** Loads the names used in reasons: places, services, and the form's fields. */
export async function loadReasonNames(
  db: Db,
  traces: Traces,
  fields: readonly FormField[] = [],
): Promise<ConditionNames> {
  const slugs = traces.flatMap((trace) => (trace ? slugsOfTrace(trace) : []))
  const called = await listPlacesBySlug(db, [...new Set(slugs.flatMap((named) => named.places))])
  const places = new Map([...called].map(([slug, { name }]) => [slug, name]))
  const services = await listServicesBySlug(db, [...new Set(slugs.flatMap((named) => named.services))])
  return { places, services, questions: new Map(fields.map((field) => [field.name, field])) }
}

/** Does the same for reasons of several forms, by form ID. */
export async function loadReasonNamesOfForms(
  db: Db,
  traces: Traces,
): Promise<(formId: number | undefined) => ConditionNames> {
  const names = await loadReasonNames(db, traces)
  const forms = traces.some(Boolean) ? await listForms(db) : []
  const questions = new Map(
    forms.map(({ id, fields }) => [id, new Map(fields.map((field) => [field.name, field]))]),
  )
  return (formId) => {
    const ofForm = questions.get(formId ?? 0)
    return ofForm ? { ...names, questions: ofForm } : names
  }
}
