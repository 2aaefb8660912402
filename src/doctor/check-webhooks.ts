import { lookup } from 'node:dns/promises'
import type { Config } from '../config.ts'
import { bindWebhook } from '../content-files/bind-stored-secrets.ts'
import type { Db } from '../db/schema.ts'
import { listForms } from '../forms/form-store.ts'
import { createRingBox } from '../lib/key-ring.ts'
import { describeReason } from '../messages/admin/webhooks/reasons.ts'
import { describeFinding } from '../messages/command-line/doctor.ts'
import { listWebhooks } from '../webhooks/definition/webhook-store.ts'
import { createDestinationPolicy } from '../webhooks/sending/destination-address.ts'
import { findDestinationProblem } from '../webhooks/sending/destination-problem.ts'
import { openWebhook, type Readiness } from '../webhooks/sending/sendable-webhook.ts'
import { type Finding, ok, warning } from './finding.ts'
import { withDatabase } from './with-database.ts'

const NAME = 'webhooks'

/** Returns whether each webhook that is on has all it needs, and a host in DNS that may be reached. Nothing is sent. */
export async function checkWebhooks(config: Config): Promise<Finding> {
  return withDatabase(NAME, config, async (db) => {
    const webhooks = await listReadiness(db, config)
    const problems = await Promise.all(webhooks.map((one) => findProblem(one, config.webhookAllow)))
    const said = problems.filter((problem) => problem !== undefined)
    if (said.length === 0) return ok(NAME, 'webhooksReady', webhooks.length)
    return warning(NAME, 'webhooksFailing', said.length, webhooks.length, said.join('; '))
  })
}

async function listReadiness(db: Db, { secretKeys }: Config): Promise<Readiness[]> {
  const opening = { secretBox: createRingBox(secretKeys), environment: process.env, now: new Date() }
  const found: Readiness[] = []
  for (const form of await listForms(db)) {
    const webhooks = await listWebhooks(db, form.id)
    // After an upgrade the next start binds secrets of an earlier version.
    const bound = webhooks.filter(({ enabled }) => enabled).map((webhook) => bindWebhook(webhook, opening))
    found.push(...bound.map((webhook) => openWebhook(webhook, opening)))
  }
  return found
}

async function findProblem(readiness: Readiness, allow: readonly string[]): Promise<string | undefined> {
  const { id, name } = readiness.webhook
  const about = (problem: string) => describeFinding('webhook', [name, id, problem])
  if (readiness.kind !== 'ready') return about(describeReason(readiness.reason))
  const { url } = readiness.sendable
  const ofAddress = findDestinationProblem(url, allow)
  if (ofAddress) return about(ofAddress)
  const { hostname, protocol, port } = new URL(url)
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  if (found.length === 0) return about(describeFinding('webhookWithoutAddress', [hostname]))
  const onPort = Number(port) || (protocol === 'https:' ? 443 : 80)
  const policy = createDestinationPolicy(allow)
  const refused = found.find(({ address }) => !policy.permits(address, onPort))
  return refused && about(describeFinding('webhookToPrivate', [hostname, refused.address]))
}
