import { matchWebhooks } from '../webhooks/match-webhooks.ts'
import { DOTS } from '../webhooks/redact-headers.ts'
import { findHeader } from '../webhooks/sealed-headers.ts'
import type { Mistake } from './mistake.ts'
import type { ParsedFile } from './parsed-file.ts'
import type { PathPlan } from './plan-paths.ts'

/** The dots in these files that stand for a header which is not stored with its webhook. */
export function checkStoredHeaders(files: readonly ParsedFile[], plans: readonly PathPlan[]): Mistake[] {
  const stored = new Map(plans.map(({ path, row }) => [path, row?.webhooks ?? []]))
  return files.flatMap(({ path, document, references }) => {
    if (document?.kind !== 'form') return []
    const matches = matchWebhooks(document.webhooks, stored.get(path) ?? [])
    return references.flatMap((reference): Mistake[] => {
      if (reference.to !== 'stored_header') return []
      const { name, line } = reference
      const webhook = document.webhooks[reference.webhook]
      const match = webhook && matches.get(webhook)
      if (findHeader(match?.headers ?? null, name) !== undefined) return []
      const message = `${DOTS} keeps the stored ${name}, and none is stored with webhook "${webhook?.name}", expected \${NAME}, with its value in the environment`
      return [{ path, line, message }]
    })
  })
}
