import { contentKeysTexts as texts } from '../../src/messages/reference/pages.ts'
import { META_MEANINGS, OPERATOR_MEANINGS } from '../../src/messages/reference/webhook-keys.ts'
import { META_KEYS } from '../../src/webhooks/body/delivery-meta.ts'
import { OPERATOR_NAMES } from '../../src/webhooks/conditions/operators.ts'
import { code, table } from './markdown.ts'

/** The sections about the operators of conditions and the keys of `meta`. Throws when one of them has no meaning. */
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
    throw new Error(`Not in both the source and src/messages/reference: ${differing.join(', ')}`)
  return names.map((name) => [code(name), meanings[name] ?? ''])
}
