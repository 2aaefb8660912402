import type { Kysely } from 'kysely'
import { type Config, readConfig } from '../src/config.ts'
import type { Schema } from '../src/db/schema.ts'
import { acceptSecretKey } from '../src/db/secret-key-store.ts'
import { describeRule } from '../src/messages/files/rules/rule.ts'
import { listFieldTypes } from '../src/webhooks/body/submission-subject-store.ts'
import { webhookVersion } from '../src/webhooks/definition/edit-webhook.ts'
import { pauseWebhook, resumeWebhook } from '../src/webhooks/definition/pause-webhook.ts'
import { checkWebhookReferences } from '../src/webhooks/definition/webhook-definition.ts'
import { findWebhook, toWebhookDefinition } from '../src/webhooks/definition/webhook-store.ts'
import { cancelDeliveries } from '../src/webhooks/deliveries/cancel-deliveries.ts'
import { findDelivery } from '../src/webhooks/deliveries/delivery-log-store.ts'
import { describeReason } from '../src/webhooks/reasons/describe-reason.ts'
import { describeReplays, reasonOf } from '../src/webhooks/replays/describe-replays.ts'
import {
  type Replay,
  type ReplayMode,
  replayDelivery,
  replayMatching,
} from '../src/webhooks/replays/replay-deliveries.ts'
import { dryRunWebhook } from '../src/webhooks/trials/dry-run-webhook.ts'
import { sendTestDelivery } from '../src/webhooks/trials/send-test-delivery.ts'
import { chooseByWord, runCommand, takeWord, WrongUsage } from './command-line.ts'
import { withMigratedDatabase } from './open-database.ts'
import { changedDefinition } from './webhooks/changed-definition.ts'

const USAGE = `npm run webhooks -- ACTION
  test    --webhook ID [--submission ID]
  replay  --delivery ID [--anyway] | --webhook ID --from TIME [--until TIME] [--status STATUS]   [--render-again]
          STATUS: delivered, failed or cancelled; without it failed and cancelled
          --anyway sends a lead that does not match the conditions of its webhook
  cancel  --delivery ID | --webhook ID [--from TIME] [--until TIME]
  pause   --webhook ID
  resume  --webhook ID
  dry-run --webhook ID --changes FILE [--last N]     FILE: YAML with the keys that change
  accept-key     begin to use another SECRET_KEY; what was encrypted by the old one stays unreadable`

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
// Which of a webhook's deliveries are meant: of no use beside the number of one.
const CHOOSING = [...WINDOW, 'status'] as const

const name = takeWord()

await runCommand({ usage: USAGE, options: OPTIONS }, async (values) => {
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
  if (other) throw new WrongUsage(`--${other} does not go with ${name}`)
  const second = given.includes('delivery') && CHOOSING.find((option) => given.includes(option))
  if (second) throw new WrongUsage(`--${second} does not go with --delivery`)
}

async function test(db: Kysely<Schema>, { webhook, submission }: Values, { siteUrl }: Config) {
  const submissionId = submission === undefined ? undefined : idOf('submission', submission)
  const id = idOf('webhook', webhook)
  const outcome = await sendTestDelivery(db, id, { submissionId, siteUrl, now: new Date() })
  if (outcome.kind === 'queued')
    return `Queued as delivery ${outcome.deliveryId}; the running program sends it within a second`
  if (outcome.kind === 'webhook_not_found') throw noWebhook(id)
  if (outcome.kind === 'paused')
    throw new Error(`Webhook ${id} is paused and sends no tests: resume it first`)
  throw new Error(`The form of webhook ${id} has no submission ${submissionId}`)
}

async function replay(db: Kysely<Schema>, values: Values, { siteUrl }: Config) {
  const mode: ReplayMode = values['render-again'] ? 'render_again' : 'same_bytes'
  const options = { mode, siteUrl, now: new Date() }
  if (values.delivery) return replayOne(db, idOf('delivery', values.delivery), { ...options, ...values })
  if (values.anyway) throw new WrongUsage('--anyway needs --delivery')
  const window = windowOf(values, { needsFrom: true })
  const status = statusOf(values.status)
  await getWebhook(db, window.webhookId)
  const outcomes = [...(await replayMatching(db, { ...window, status }, options)).values()]
  const { queued = [], ...refused } = Object.groupBy(outcomes, ({ kind }) => kind)
  const lines = Object.values(refused).map((of) => describeReplays(of).message)
  if (queued.length > 0) lines.unshift(queuedLine(queued))
  else if (lines.length > 0) throw new Error(`Nothing was sent again. ${lines.join(' ')}`)
  return lines.join('\n') || 'There is nothing to send again'
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
    const { verdict, webhook } = outcome
    throw new Error(
      `Delivery ${id} does not match the conditions of "${webhook.name}" (${webhook.url}): ${verdict.reason && describeReason(verdict.reason)}. Add --anyway to send it there`,
    )
  }
  if (outcome.kind !== 'queued') throw new Error(`Delivery ${id} ${reasonOf(outcome.kind)}`)
  return queuedLine([outcome])
}

function queuedLine(queued: readonly Replay[]): string {
  const isPaused = queued.some((outcome) => outcome.kind === 'queued' && outcome.isPaused)
  return `${queued.length} queued${isPaused ? '; the webhook is paused, resume it to send them' : ''}`
}

async function cancel(db: Kysely<Schema>, values: Values) {
  const now = new Date()
  if (!values.delivery) {
    const window = windowOf(values, { needsFrom: false })
    await getWebhook(db, window.webhookId)
    return `Cancelled: ${await cancelDeliveries(db, window, { now })}`
  }
  const id = idOf('delivery', values.delivery)
  const count = await cancelDeliveries(db, { ids: [id] }, { now })
  if (count > 0) return `Cancelled: ${count}`
  throw (await findDelivery(db, id)) ? new Error(`Delivery ${id} does not wait any more`) : noDelivery(id)
}

async function pause(db: Kysely<Schema>, { webhook }: Values) {
  const id = idOf('webhook', webhook)
  if (!(await pauseWebhook(db, id, { now: new Date() }))) throw noWebhook(id)
  return `Webhook ${id} is paused; what is accepted waits`
}

async function resume(db: Kysely<Schema>, { webhook }: Values) {
  const id = idOf('webhook', webhook)
  if (!(await resumeWebhook(db, id))) throw noWebhook(id)
  return `Webhook ${id} sends again`
}

async function dryRun(db: Kysely<Schema>, { webhook, changes, last }: Values, { siteUrl }: Config) {
  if (changes === undefined) throw new WrongUsage('--changes is missing; expected a YAML file')
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
  const runs = await dryRunWebhook(db, id, definition, { limit, siteUrl })
  const lines = (runs ?? []).map(({ submissionId, before, after, bodyDiffers }) => {
    const fires = `${verdict(before)} -> ${verdict(after)}`
    const bodies = `\n  before: ${before.body ?? 'no body'}\n  after:  ${after.body ?? 'no body'}`
    return `submission ${submissionId}  ${fires}  body ${bodyDiffers ? `differs${bodies}` : 'is the same'}`
  })
  return lines.join('\n') || 'The form has no submissions'
}

async function acceptKey(db: Kysely<Schema>, _: Values, { secretKeys }: Config) {
  await acceptSecretKey(db, secretKeys)
  return 'This SECRET_KEY is the database’s own now; give each webhook that had one a new signing secret'
}

function verdict({ fires, reason }: { fires: boolean; reason: string | null }): string {
  return fires ? 'fires' : `does not fire (${reason})`
}

function windowOf({ webhook, from, until }: Values, { needsFrom }: { needsFrom: boolean }) {
  if (needsFrom && from === undefined) throw new WrongUsage('--from is missing; expected a time')
  const window = { from: timeOf('from', from), until: timeOf('until', until) }
  if (window.from && window.until && window.until <= window.from)
    throw new WrongUsage('--until: expected a time after --from')
  return { webhookId: idOf('webhook', webhook), ...window }
}

function statusOf(value: string | undefined): (typeof REPLAYABLE)[number] | undefined {
  const status = REPLAYABLE.find((one) => one === value)
  if (value !== undefined && !status)
    throw new WrongUsage(`--status: expected one of ${REPLAYABLE.join(', ')}`)
  return status
}

function timeOf(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  // Without a zone it is UTC, as in logs.
  const time = new Date(/T[\d:.]+$/.test(value) ? `${value}Z` : value)
  if (!/^\d{4}-\d{2}-\d{2}/.test(value) || Number.isNaN(time.getTime()))
    throw new WrongUsage(`--${option}: expected a time such as 2026-11-20T10:00:00Z`)
  return time.toISOString()
}

function idOf(option: string, value: string | undefined): number {
  if (value === undefined || !/^[1-9]\d{0,14}$/.test(value)) {
    throw new WrongUsage(`--${option}: expected a number such as 7`)
  }
  return Number(value)
}

async function getWebhook(db: Kysely<Schema>, id: number) {
  const webhook = await findWebhook(db, id)
  if (!webhook) throw noWebhook(id)
  return webhook
}

function noWebhook(id: number) {
  return new Error(`There is no webhook ${id}`)
}

function noDelivery(id: number) {
  return new Error(`There is no delivery ${id}`)
}
