import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { type At, prepareQuery } from '../../db/statements/prepared-query.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import { type Choices, toChoices } from '../../templates/choice-labels.ts'

/** A form as it was when it was answered. */
interface FormVersion {
  form_id: number
  form_version: number
}

const fieldsColumn = jsonColumn(z.array(z.object({ name: z.string(), options: z.array(z.string()) })))
const NONE: Choices = new Map()

/** Finds the labels of these versions of forms. The lookup returns nothing for a version that no longer exists. */
export async function findChoices(
  db: Db,
  versions: readonly FormVersion[],
): Promise<(version: FormVersion) => Choices> {
  const found = new Map<string, Choices>()
  for (const version of versions) {
    if (found.has(keyOf(version))) continue
    const { rows } = await selectFields(db, version)
    const fields = rows[0] && fieldsColumn.safeDecode(rows[0].fields_json).data
    found.set(keyOf(version), fields ? toChoices(fields) : NONE)
  }
  return (version) => found.get(keyOf(version)) ?? NONE
}

const selectFields = prepareQuery((db, at: At<FormVersion>) =>
  db
    .selectFrom('form_versions')
    .select('fields_json')
    .where('form_id', '=', at('form_id'))
    .where('version', '=', at('form_version'))
    .compile(),
)

function keyOf({ form_id, form_version }: FormVersion): string {
  return `${form_id} ${form_version}`
}
