import type { Kysely } from 'kysely'
import { type Config, readConfig } from '../src/config.ts'
import { EVERY_LEAD } from '../src/db/lead-scope/lead-scope.ts'
import type { Schema } from '../src/db/schema.ts'
import { acceptSecretKey } from '../src/db/secret-key-store.ts'
import { Failure } from '../src/lib/messages.ts'
import { describeDryRun, describeReason } from '../src/messages/admin/webhooks/reasons.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { webhookCommandTexts as texts } from '../src/messages/command-line/webhooks.ts'
import { describeRule } from '../src/messages/files/rules/rule.ts'
import { listFieldTypes } from '../src/webhooks/body/submission-subject-store.ts'
import { webhookVersion } from '../src/webhooks/definition/edit-webhook.ts'
import { pauseWebhook, resumeWebhook } from '../src/webhooks/definition/pause-webhook.ts'
import { checkWebhookReferences } from '../src/webhooks/definition/webhook-definition.ts'
import { findWebhook, toWebhookDefinition } from '../src/webhooks/definition/webhook-store.ts'
import { cancelDeliveries } from '../src/webhooks/deliveries/cancel-deliveries.ts'
import { findDelivery } from '../src/webhooks/deliveries/delivery-log-store.ts'
import { describeReplays, reasonOf } from '../src/webhooks/replays/describe-replays.ts'
import {
  type Replay,
  type ReplayMode,
  replayDelivery,
  replayMatching,
} from '../src/webhooks/replays/replay-deliveries.ts'
import { type DryRun, dryRunWebhook } from '../src/webhooks/trials/dry-run-webhook.ts'
import { sendTestDelivery } from '../src/webhooks/trials/send-test-delivery.ts'
import { chooseByWord, runCommand, takeWord, WrongUsage } from './command-line.ts'
import { withMigratedDatabase } from './open-database.ts'
import { changedDefinition } from './webhooks/changed-definition.ts'

const LAST = 20
const REPLAYABLE = ['delivered', 'failed', 'cancelled'] as const
const text = { type: 'string' } as const
const OPTIONS = {
  webhook: text,
  delivery: text,
  submission: text,
  from: text,
  until: text,
  changes: text,
  last: text,
  status: text,
  'render-again': { type: 'boolean' },
  anyway: { type: 'boolean' },
} as const

type Flag = 'render-again' | 'anyway'
type Values = { [Name in Exclude<keyof typeof OPTIONS, Flag>]?: string } & { [Name in Flag]?: boolean }
interface Action {
  run(db: Kysely<Schema>, values: Values, config: Config): Promise<string>
  takes: readonly (keyof Values)[]
}

const WINDOW = ['webhook', 'from', 'until'] as const
const ACTIONS: Readonly<Record<string, Action>> = {
  test: { run: test, takes: ['webhook', 'submission'] },
  replay: { run: replay, takes: ['delivery', ...WINDOW, 'status', 'render-again', 'anyway'] },
  cancel: { run: cancel, takes: ['delivery', ...WINDOW] },
  pause: { run: pause, takes: ['webhook'] },
  resume: { run: resume, takes: ['webhook'] },
  'dry-run': { run: dryRun, takes: ['webhook', 'changes', 'last'] },
  'accept-key': { run: acceptKey, takes: [] },
}
// Options that select a webhook's deliveries; useless with a single delivery.
const CHOOSING = [...WINDOW, 'status'] as const

const name = takeWord()

await runCommand({ usage: usages.webhooks, options: OPTIONS }, async (values) => {
  const action = chooseByWord(name, ACTIONS, 'action')
  refuseOthers(values as Values, action)
  const isDryRun = action.run === dryRun
  const config = readConfig(undefined, { isReadOnly: isDryRun })
  await withMigratedDatabase(config.databaseUrl, { isDryRun }, async (db) =>
    console.log(await action.run(db, values as Values, config)),
  )
})

function refuseOthers(values: Values, { takes }: Action) {
  const given = Object.keys(values) as (keyof Values)[]
  const other = given.find((option) => !takes.includes(option))
  if (other) throw new WrongUsage(usageTexts.notTogether(`--${other}`, name))
  const second = given.includes('delivery') && CHOOSING.find((option) => given.includes(option))
  if (second) throw new WrongUsage(usageTexts.notTogether(`--${second}`, '--delivery'))
}

async function test(db: Kysely<Schema>, { webhook, submission }: Values, { siteUrl, adminUrl }: Config) {
  const submissionId = submission === undefined ? undefined : idOf('submission', submission)
  const id = idOf('webhook', webhook)
  const outcome = await sendTestDelivery(db, id, { submissionId, siteUrl, adminUrl, now: new Date() })
  if (outcome.kind === 'queued') return texts.testQueued(outcome.deliveryId)
  if (outcome.kind === 'webhook_not_found') throw noWebhook(id)
  if (outcome.kind === 'paused') throw new Failure(texts, 'testOfPaused', id)
  throw new Failure(texts, 'noSubmission', id, submissionId)
}

async function replay(db: Kysely<Schema>, values: Values, { siteUrl }: Config) {
  const mode: ReplayMode = values['render-again'] ? 'render_again' : 'same_bytes'
  const options = { scope: EVERY_LEAD, mode, siteUrl, now: new Date() }
  if (values.delivery) return replayOne(db, idOf('delivery', values.delivery), { ...options, ...values })
  if (values.anyway) throw new WrongUsage(usageTexts.needs('--anyway', '--delivery'))
  const window = windowOf(values, { needsFrom: true })
  const status = statusOf(values.status)
  await getWebhook(db, window.webhookId)
  const outcomes = [...(await replayMatching(db, { ...window, status }, options)).values()]
  const { queued = [], ...refused } = Object.groupBy(outcomes, ({ kind }) => kind)
  const lines = Object.values(refused).map((of) => describeReplays(of).message)
  if (queued.length > 0) lines.unshift(queuedLine(queued))
  else if (lines.length > 0) throw new Failure(texts, 'nothingResent', lines.join(' '))
  return lines.join('\n') || texts.nothingToResend
}

async function replayOne(
  db: Kysely<Schema>,
  id: number,
  { anyway = false, ...options }: Parameters<typeof replayDelivery>[2] & Pick<Values, 'anyway'>,
) {
  let outcome = await replayDelivery(db, id, options)
  if (outcome.kind === 'not_matching' && anyway)
    outcome = await replayDelivery(db, id, { ...options, confirmed: webhookVersion(outcome.webhook) })
  if (outcome.kind === 'not_found') throw noDelivery(id)
  if (outcome.kind === 'not_matching') {
    const { name, url } = outcome.webhook
    const reason = outcome.verdict.reason ? describeReason(outcome.verdict.reason) : ''
    throw new Failure(texts, 'notMatching', { id: String(id), name, url, reason })
  }
  if (outcome.kind !== 'queued') throw new Failure(texts, 'refused', id, reasonOf(outcome.kind))
  return queuedLine([outcome])
}

function queuedLine(queued: readonly Replay[]): string {
  const isPaused = queued.some((outcome) => outcome.kind === 'queued' && outcome.isPaused)
  return (isPaused ? texts.queuedButPaused : texts.queued)(queued.length)
}

async function cancel(db: Kysely<Schema>, values: Values) {
  const now = new Date()
  if (!values.delivery) {
    const window = windowOf(values, { needsFrom: false })
    await getWebhook(db, window.webhookId)
    return texts.canceled(await cancelDeliveries(db, { ...window, scope: EVERY_LEAD }, { now }))
  }
  const id = idOf('delivery', values.delivery)
  const count = await cancelDeliveries(db, { ids: [id], scope: EVERY_LEAD }, { now })
  if (count > 0) return texts.canceled(count)
  throw (await findDelivery(db, id, EVERY_LEAD)) ? new Failure(texts, 'notPending', id) : noDelivery(id)
}

async function pause(db: Kysely<Schema>, { webhook }: Values) {
  const id = idOf('webhook', webhook)
  if (!(await pauseWebhook(db, id, { now: new Date() }))) throw noWebhook(id)
  return texts.paused(id)
}

async function resume(db: Kysely<Schema>, { webhook }: Values) {
  const id = idOf('webhook', webhook)
  if (!(await resumeWebhook(db, id))) throw noWebhook(id)
  return texts.resumed(id)
}

async function dryRun(db: Kysely<Schema>, { webhook, changes, last }: Values, { siteUrl, adminUrl }: Config) {
  if (changes === undefined) throw new WrongUsage(usageTexts.changesMissing)
  const id = idOf('webhook', webhook)
  const stored = await getWebhook(db, id)
  const definition = changedDefinition(toWebhookDefinition(stored), changes)
  const fields = await listFieldTypes(db, stored.formId)
  const problems = checkWebhookReferences(
    definition,
    fields.map(({ name, options }) => ({ name, hasOptions: options.length > 0 })),
  )
  if (problems.length > 0)
    throw new Error(problems.map((one) => `${one.part}: ${describeRule(one)}`).join('; '))
  const limit = last === undefined ? LAST : idOf('last', last)
  const runs = await dryRunWebhook(db, id, definition, { limit, siteUrl, adminUrl })
  const lines = (runs ?? []).map(({ submissionId, before, after, bodyDiffers }) => {
    const verdicts = { submission: submissionId, before: verdict(before), after: verdict(after) }
    const bodies = bodyDiffers ? texts.otherBody(before.body, after.body) : texts.sameBody
    return `${texts.difference(verdicts)}  ${bodies}`
  })
  return lines.join('\n') || texts.noSubmissions
}

async function acceptKey(db: Kysely<Schema>, _: Values, { secretKeys }: Config) {
  await acceptSecretKey(db, secretKeys)
  return texts.keyAccepted
}

function verdict({ fires, reason }: DryRun['before']): string {
  return fires ? texts.fires : texts.doesNotFire(reason && describeDryRun(reason))
}

function windowOf({ webhook, from, until }: Values, { needsFrom }: { needsFrom: boolean }) {
  if (needsFrom && from === undefined) throw new WrongUsage(usageTexts.fromMissing)
  const window = { from: timeOf('from', from), until: timeOf('until', until) }
  if (window.from && window.until && window.until <= window.from)
    throw new WrongUsage(usageTexts.untilBeforeFrom)
  return { webhookId: idOf('webhook', webhook), ...window }
}

function statusOf(value: string | undefined): (typeof REPLAYABLE)[number] | undefined {
  const status = REPLAYABLE.find((one) => one === value)
  if (value !== undefined && !status) throw new WrongUsage(usageTexts.statusInvalid(REPLAYABLE.join(', ')))
  return status
}

function timeOf(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  // Without a time zone it is UTC, as in logs.
  const time = new Date(/T[\d:.]+$/.test(value) ? `${value}Z` : value)
  if (!/^\d{4}-\d{2}-\d{2}/.test(value) || Number.isNaN(time.getTime()))
    throw new WrongUsage(usageTexts.timeInvalid(option))
  return time.toISOString()
}

function idOf(option: string, value: string | undefined): number {
  if (value === undefined || !/^[1-9]\d{0,14}$/.test(value)) {
    throw new WrongUsage(usageTexts.idInvalid(option))
  }
  return Number(value)
}

async function getWebhook(db: Kysely<Schema>, id: number) {
  const webhook = await findWebhook(db, id)
  if (!webhook) throw noWebhook(id)
  return webhook
}

function noWebhook(id: number) {
  return new Failure(texts, 'webhookUnknown', id)
}

function noDelivery(id: number) {
  return new Failure(texts, 'deliveryUnknown', id)
}
