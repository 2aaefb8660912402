import { OPERATOR_NAMES, OPERATORS } from '../../src/conditions/operators.ts'
import type { JsonSchema } from './json-schema.ts'

const WORDS = ['all', 'any', 'not', 'field', 'op']
const SCALAR: JsonSchema = { type: ['string', 'number', 'boolean'] }
const VALUES: JsonSchema = { anyOf: [SCALAR, { type: 'array', items: SCALAR, minItems: 1 }] }
const CONDITION: JsonSchema = { $ref: '#/definitions/condition' }
const CONDITIONS: JsonSchema = { type: 'array', items: CONDITION, minItems: 1 }
const OPERATORS_WITHOUT_VALUE = OPERATOR_NAMES.filter((name) => !OPERATORS[name].value)
const OPERATORS_WITH_VALUE = OPERATOR_NAMES.filter((name) => OPERATORS[name].value)

/** A condition of `fire_on` (contract §6); stands under `definitions.condition`. */
export const CONDITION_SCHEMA: JsonSchema = {
  anyOf: [
    group({ all: CONDITIONS }),
    group({ any: CONDITIONS }),
    group({ not: CONDITION }),
    group({ field: { type: 'string' }, op: { enum: OPERATORS_WITH_VALUE }, value: VALUES }),
    group({ field: { type: 'string' }, op: { enum: OPERATORS_WITHOUT_VALUE } }),
    {
      type: 'object',
      propertyNames: { not: { enum: WORDS } },
      additionalProperties: VALUES,
    },
  ],
}

function group(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
