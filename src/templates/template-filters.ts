import type { Json } from '../lib/canonical-json.ts'
import { referenceTexts } from '../messages/admin/webhooks/webhook-editor.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

export type FilterName = 'default' | 'text' | 'escape'

export interface FilterRule {
  /** Notation, for messages and menus. */
  usage: string
  takesValue: boolean
  /** Effect, for people. */
  help: string
  apply(value: Json, argument: Json): Json
}

/** The filters of an expression, applied in order. */
export const FILTERS: Readonly<Record<FilterName, FilterRule>> = {
  default: {
    usage: 'default: "…"',
    takesValue: true,
    help: referenceTexts.defaultFilter,
    apply: (value, argument) => (isEmpty(value) ? argument : value),
  },
  text: {
    usage: 'text',
    takesValue: false,
    help: referenceTexts.textFilter,
    apply: asText,
  },
  escape: {
    usage: 'escape',
    takesValue: false,
    help: referenceTexts.escapeFilter,
    apply: (value) => asText(value).replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign),
  },
}

/** A value inside text: lists are joined by commas, null is empty, a file is its name. */
export function asText(value: Json): string {
  if (value === null) return ''
  if (isList(value)) return value.map(asText).join(', ')
  // An answer that is an object is a file (contract §5).
  return typeof value === 'object' ? asText(value.name ?? null) : String(value)
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (isList(value) && value.length === 0)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
