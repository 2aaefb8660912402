import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { listVariables } from '../../src/environment.ts'
import { FIELD_TYPES } from '../../src/forms/field-types/field-types.ts'
import { readTexts, type Text } from './read-texts.ts'

const MESSAGES = fileURLToPath(new URL('../../src/messages', import.meta.url))

/** Returns every text of `src/messages` by area, such as `visitor/site`, and those of field types and variables. */
export async function listTexts(): Promise<Map<string, Text[]>> {
  const files = (await Array.fromAsync(glob('**/*.ts', { cwd: MESSAGES }))).sort()
  const texts = await Promise.all(files.map((file) => readFile(`${MESSAGES}/${file}`, 'utf8')))
  const areas = files.map((file, index) => [file.slice(0, -3), readTexts(texts[index] ?? '')] as const)
  const elsewhere = [
    ['admin/field-types', textsOfFieldTypes()],
    ['command-line/variables', textsOfVariables()],
  ] as const
  return new Map([...areas, ...elsewhere].filter(([, { length }]) => length > 0))
}

// A field type has its labels and hints in its own file, so that adding one takes one file.
function textsOfFieldTypes(): Text[] {
  return Object.entries(FIELD_TYPES).flatMap(
    ([type, { label, use, placeholderLabel, defaultAnswer, optionsHelp, bounds }]) => {
      const texts = {
        label,
        'use.hint': use,
        'placeholder.label': placeholderLabel,
        'default.label': defaultAnswer?.label,
        'default.hint': defaultAnswer?.help,
        'options.hint': optionsHelp,
        'min.label': bounds?.labels.min,
        'max.label': bounds?.labels.max,
      }
      return Object.entries(texts).flatMap(([key, text]) => (text ? [{ key: `${type}.${key}`, text }] : []))
    },
  )
}

// A variable states its allowed values in its own line.
function textsOfVariables(): Text[] {
  return listVariables().map(({ name, accepted }) => ({ key: name, text: accepted }))
}
