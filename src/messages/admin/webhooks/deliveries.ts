import { countOf } from '../../plural.ts'

const DELIVERIES = { one: 'delivery', other: 'deliveries' }
const WEBHOOKS = { one: 'webhook', other: 'webhooks' }

/** The log of deliveries. */
export const deliveryTexts = {
  title: 'Deliveries',
  lead: 'See sent, pending, failed, and skipped deliveries from your webhooks.',
  caption: 'Deliveries, newest first',
  columns: ['Delivery', 'Status', 'Webhook', 'Lead', 'Attempts', 'Created'],
  labels: { webhook: 'Webhook', form: 'Form', status: 'Status' },
  ofLead: (lead: number) => `Only deliveries for lead #${lead}.`,
  empty: {
    title: 'No deliveries yet',
    text: 'When a lead arrives, each of the form’s active webhooks creates a delivery.',
    button: 'Show webhooks',
  },
  notFound: { title: 'No deliveries match', button: 'Show all deliveries' },
  newest: 'Newest',
  test: 'Test',
  resent: 'Resent',
  nextAttempt: 'Next attempt:',
  noAttemptWhilePaused: 'None while the webhook is paused',
  deletedWebhook: 'Deleted webhook',
  sample: 'Sample',
}

/** The page of one delivery. */
export const deliveryPage = {
  title: (id: number) => `Delivery #${id}`,
  labels: {
    reason: 'Reason',
    webhook: 'Webhook',
    lead: 'Lead',
    resendOf: 'Resend of',
    created: 'Created',
    nextAttempt: 'Next attempt',
    finished: 'Finished',
  },
  sampleAnswers: 'Test with sample answers',
  leadAsTest: (lead: number) => `#${lead} (test)`,
  headings: {
    sent: 'Why it was sent',
    pending: 'Why it will be sent',
    resentAnyway: 'Resent manually even though the conditions don’t match',
    notSent: 'Why it was not sent',
    attempts: 'Attempts',
    body: 'Request body',
  },
  recomputed: 'Based on the current conditions and the stored answers.',
  noAttempts: 'No attempts yet.',
  sameBody: 'Every attempt sends the same bytes. JSON is formatted here for readability.',
  body: 'Request body',
  buttons: {
    resend: 'Resend',
    render: 'Resend with current settings',
    sendNow: 'Send now',
    cancel: 'Cancel delivery',
  },
  canceled: 'Delivery canceled.',
  notPending: 'This delivery is no longer pending.',
}

/** The deliveries of a lead. */
export const deliveryStory = {
  none: 'No webhook was active when this lead arrived, so there are no deliveries.',
  off: ({ webhook, reason }: { webhook: string; reason: string }) =>
    `Not sent to “${webhook}” because the webhook is off (${reason}).`,
  turnedOffManually: 'turned off manually',
  skipped: (count: number) => `Not sent to ${countOf(count, WEBHOOKS)}`,
}

/** The attempts of a delivery. */
export const attemptTexts = {
  title: (number: number) => `Attempt ${number}`,
  noAnswer: 'no response',
  status: (status: number) => `HTTP ${status}`,
  failures: {
    status: 'the receiver returned an error',
    timeout: 'no response in time',
    dns: 'host name not found',
    refused: 'connection refused',
    reset: 'connection lost',
    tls: 'secure connection failed',
    blocked_address: 'address not allowed',
    redirect: 'redirected; to count redirects as delivered, edit the webhook',
    too_large: 'response too large',
  },
  redirect: 'redirect counted as delivered, not followed',
  duration: (milliseconds: number) => `${milliseconds.toLocaleString('en-US')} ms`,
  request: 'Request',
  response: 'Response',
  empty: 'None.',
  body: (number: number) => `Response to attempt ${number}, first 4 KiB`,
}

/** Sending deliveries again. */
export const resendTexts = {
  title: 'Resend deliveries',
  lead: 'Resends oldest deliveries first. Skips tests, resends, and leads that no longer match the conditions.',
  button: 'Resend deliveries',
  labels: {
    from: (zone: string) => `From (${zone})`,
    until: (zone: string) => `To (${zone})`,
    status: 'Deliveries',
    mode: 'Request',
  },
  until: { hint: 'Leave empty to use the current time.' },
  statuses: { lost: 'Failed and canceled', delivered: 'Delivered' },
  modes: { same_bytes: 'Same body and webhook-id', render_again: 'New body with current settings' },
  momentInvalid: 'Enter a date and time.',
  untilTooEarly: 'Enter a time after the start.',
  anyway: {
    question: (webhook: string) => `Send the lead to “${webhook}” anyway?`,
    button: (webhook: string) => `Send to “${webhook}”`,
    notMatching: (lead: number | null, place: string | null) =>
      `Lead #${lead}${place === null ? '' : ` from ${place}`} does not match the conditions of this webhook.`,
    conditions: 'Current conditions:',
    reason: (reason: string) => `Reason: ${reason}.`,
    destination: 'The lead would be sent to:',
  },
}

/** Why deliveries are not sent again: said of one, and of several. */
export const resendRefusals = {
  not_found: { one: 'no longer exists', other: 'no longer exist' },
  unfinished: { one: 'is still pending', other: 'are still pending' },
  nothing_was_sent: {
    one: 'was never sent. Resend it with the current settings',
    other: 'were never sent. Resend them with the current settings',
  },
  no_submission: { one: 'was a test. Send another test', other: 'were tests. Send another test' },
  spam: {
    one: 'belongs to a lead marked as spam. Mark the lead as not spam first',
    other: 'belong to leads marked as spam. Mark the leads as not spam first',
  },
  webhook_gone: { one: 'belongs to a deleted webhook', other: 'belong to deleted webhooks' },
  not_matching: {
    one: 'does not match the conditions of its webhook. Open the delivery to send it anyway',
    other: 'do not match the conditions of their webhook. Open a delivery to send it anyway',
  },
  webhook_off: {
    one: 'belongs to a webhook that is off. Turn the webhook on first',
    other: 'belong to a webhook that is off. Turn the webhook on first',
  },
}

/** Results of resending deliveries. */
export const resendOutcomes = {
  none: 'No deliveries to resend in this period.',
  refused: (count: number, reason: string) => `${countOf(count, DELIVERIES)} ${reason}.`,
  queued: (count: number) => `${countOf(count, DELIVERIES)} queued.`,
  queuedButPaused: (count: number) =>
    `${countOf(count, DELIVERIES)} queued. Resume the webhook to start sending.`,
}

/** Activity entries about deliveries. */
export const deliveryActivity = {
  resent: (id: number, next: number) => `Resent delivery ${id} as ${next}`,
  resentAnyway: (id: number, next: number) =>
    `Resent delivery ${id} as ${next} even though the conditions did not match`,
  canceled: (id: number) => `Canceled delivery ${id}`,
}
