import { OPERATOR_NAMES } from '../../src/conditions/operators.ts'
import { META_KEYS } from '../../src/templates/meta.ts'
import { code, table } from './markdown.ts'
import { contentKeysTexts as texts } from './texts/pages.ts'
import { META_MEANINGS, OPERATOR_MEANINGS } from './texts/webhook-keys.ts'

/** Makes the sections about condition operators and the keys of `meta`. Throws if one of them has no text. */
export function webhookKeys(): string[] {
  return [
    texts.operators,
    table([texts.operator, texts.meaning], rowsOf(OPERATOR_NAMES, OPERATOR_MEANINGS)),
    texts.meta,
    table([texts.key, texts.meaning], rowsOf(META_KEYS, META_MEANINGS)),
  ]
}

function rowsOf(names: readonly string[], meanings: Readonly<Record<string, string>>): string[][] {
  const known = Object.keys(meanings)
  const differing = [
    ...names.filter((name) => !known.includes(name)),
    ...known.filter((name) => !names.includes(name)),
  ]
  if (differing.length > 0)
    throw new Error(`Not in both the source and scripts/docs/texts: ${differing.join(', ')}`)
  return names.map((name) => [code(name), meanings[name] ?? ''])
}
