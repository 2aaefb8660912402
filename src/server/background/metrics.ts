import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from '../../db/schema.ts'
import { metricTexts } from '../../messages/server/metrics.ts'
import { findLastPublish } from '../../publish/publish-store.ts'
import type { SubmissionDesk } from '../../submissions/intake/accept-submission.ts'
import { countWaitingDeliveries } from '../../webhooks/deliveries/waiting-deliveries-store.ts'
import type { Attempt } from '../../webhooks/sending/send-attempt.ts'

/** Seconds; the last bound is the default deadline of an attempt. */
const ATTEMPT_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** Counters for Prometheus. They start at 0 with the program. */
export interface Metrics {
  /** The desk, with each outcome counted by its form. */
  countSubmissions(desk: SubmissionDesk): SubmissionDesk
  countAttempt(attempt: Attempt): void
  /** Prometheus' text format. */
  text(): Promise<string>
  contentType: string
}

export function createMetrics(db: Db, { machine, now }: { machine: string; now: () => Date }): Metrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  const submissions = new Counter({
    name: 'signpost_submissions_total',
    help: metricTexts.submissions,
    labelNames: ['form', 'outcome'],
    registers,
  })
  const attempts = new Counter({
    name: 'signpost_delivery_attempts_total',
    help: metricTexts.attempts,
    labelNames: ['outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'signpost_delivery_attempt_seconds',
    help: metricTexts.attemptSeconds,
    buckets: ATTEMPT_BUCKETS,
    registers,
  })
  registerQueue(db, { registers, now })
  registerPublishes(db, { registers, machine })
  return {
    countSubmissions: (desk) => ({
      ...desk,
      async accept(...post) {
        const outcome = await desk.accept(...post)
        submissions.inc({ form: 'form' in outcome ? outcome.form.slug : 'unknown', outcome: outcome.kind })
        return outcome
      },
    }),
    countAttempt(attempt) {
      attempts.inc({ outcome: attempt.kind === 'delivered' ? 'delivered' : attempt.failureKind })
      seconds.observe(attempt.durationMs / 1_000)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

// Read from the database on request: the queue outlives the process. Each gauge reads for itself, because all are
// collected at once.
function registerQueue(db: Db, { registers, now }: { registers: Registry[]; now: () => Date }) {
  new Gauge({
    name: 'signpost_queue_waiting',
    help: metricTexts.queue,
    registers,
    async collect() {
      this.set((await countWaitingDeliveries(db)).count)
    },
  })
  new Gauge({
    name: 'signpost_queue_overdue_seconds',
    help: metricTexts.overdue,
    registers,
    async collect() {
      const { dueSince } = await countWaitingDeliveries(db)
      this.set(dueSince ? Math.max(0, (now().getTime() - Date.parse(dueSince)) / 1_000) : 0)
    },
  })
}

// Publishes run in their own processes: their history is in the database.
function registerPublishes(db: Db, { registers, machine }: { registers: Registry[]; machine: string }) {
  const labelled = { labelNames: ['status'], registers }
  new Gauge({
    name: 'signpost_publish_ended_timestamp_seconds',
    help: metricTexts.publishEnded,
    ...labelled,
    async collect() {
      for (const { status, endMs } of await listLastPublishes(db, machine))
        this.set({ status }, endMs / 1_000)
    },
  })
  new Gauge({
    name: 'signpost_publish_seconds',
    help: metricTexts.publishSeconds,
    ...labelled,
    async collect() {
      for (const { status, startMs, endMs } of await listLastPublishes(db, machine))
        this.set({ status }, Math.max(0, endMs - startMs) / 1_000)
    },
  })
}

async function listLastPublishes(db: Db, machine: string) {
  const found = []
  for (const status of ['published', 'failed'] as const) {
    const last = await findLastPublish(db, { machine, status })
    if (!last?.finishedAt) continue
    found.push({ status, startMs: Date.parse(last.startedAt), endMs: Date.parse(last.finishedAt) })
  }
  return found
}
