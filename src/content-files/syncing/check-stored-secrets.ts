import type { FileFault } from '../../messages/files/mistakes.ts'
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

/** Lists places where these files rely on a secret that isn't stored with its webhook, or only for another origin. */
export function checkStoredSecrets(files: readonly ParsedFile[], plans: readonly PathPlan[]): Mistake[] {
  const stored = new Map(plans.map(({ path, row }) => [path, row?.webhooks ?? []]))
  return files.flatMap(({ path, document, references }) => {
    if (document?.kind !== 'form') return []
    const matches = matchWebhooks(document.webhooks, stored.get(path) ?? [])
    return references.flatMap((reference): Mistake[] => {
      if (reference.to !== 'stored_header' && reference.to !== 'stored_secret') return []
      const webhook = document.webhooks[reference.webhook]
      const fault = webhook && faultOf(reference, webhook, matches.get(webhook))
      return fault ? [{ path, line: reference.line, fault }] : []
    })
  })
}

type StoredReference = Extract<Reference, { to: 'stored_header' | 'stored_secret' }>

function faultOf(
  reference: StoredReference,
  { name, url }: WebhookDefinition,
  stored: Webhook | undefined,
): FileFault | undefined {
  const former = stored && !isSameOrigin(stored.url, url) ? originOf(stored.url) : undefined
  if (reference.to === 'stored_secret') {
    if (former === undefined || stored?.signingSecret == null) return undefined
    return { code: 'secret_of_other_origin', params: { webhook: name, origin: former } }
  }
  const { name: header } = reference
  if (findHeader(stored?.headers ?? null, header) === undefined)
    return { code: 'header_not_stored', params: { webhook: name, header, dots: DOTS } }
  if (former === undefined) return undefined
  return { code: 'header_of_other_origin', params: { webhook: name, header, origin: former } }
}
