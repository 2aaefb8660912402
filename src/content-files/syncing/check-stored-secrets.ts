import { matchWebhooks } from '../../webhooks/definition/match-webhooks.ts'
import type { Webhook } from '../../webhooks/definition/webhook.ts'
import type { WebhookDefinition } from '../../webhooks/definition/webhook-definition.ts'
import { DOTS } from '../../webhooks/secrets/redact-headers.ts'
import { findHeader } from '../../webhooks/secrets/sealed-headers.ts'
import { isSameOrigin, originOf } from '../../webhooks/secrets/webhook-origin.ts'
import type { Mistake } from '../parsing/mistake.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import type { Reference } from '../parsing/reference.ts'
import type { PathPlan } from './plan-paths.ts'

/** Lists where these files rely on a secret that is not stored with its webhook, or only for another origin. */
export function checkStoredSecrets(files: readonly ParsedFile[], plans: readonly PathPlan[]): Mistake[] {
  const stored = new Map(plans.map(({ path, row }) => [path, row?.webhooks ?? []]))
  return files.flatMap(({ path, document, references }) => {
    if (document?.kind !== 'form') return []
    const matches = matchWebhooks(document.webhooks, stored.get(path) ?? [])
    return references.flatMap((reference): Mistake[] => {
      if (reference.to !== 'stored_header' && reference.to !== 'stored_secret') return []
      const webhook = document.webhooks[reference.webhook]
      const message = webhook && problemWith(reference, webhook, matches.get(webhook))
      return message === undefined ? [] : [{ path, line: reference.line, message }]
    })
  })
}

type StoredReference = Extract<Reference, { to: 'stored_header' | 'stored_secret' }>

function problemWith(
  reference: StoredReference,
  { name, url }: WebhookDefinition,
  stored: Webhook | undefined,
): string | undefined {
  const former = stored && !isSameOrigin(stored.url, url) ? originOf(stored.url) : undefined
  if (reference.to === 'stored_secret') {
    if (former === undefined || stored?.signingSecret == null) return undefined
    return `the signing secret of webhook "${name}" is stored for ${former} and stays there, expected signing_secret: \${NAME}, or null for none`
  }
  const expected = `expected \${NAME}, with its value in the environment`
  if (findHeader(stored?.headers ?? null, reference.name) === undefined)
    return `${DOTS} keeps the stored ${reference.name}, and none is stored with webhook "${name}", ${expected}`
  if (former === undefined) return undefined
  return `the ${reference.name} of webhook "${name}" is stored for ${former} and stays there, ${expected}`
}
