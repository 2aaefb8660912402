import { createMessages, type MessageOf } from '#src/lib/messages.ts'
import { adviceOf, endSentence, type Problem, ruleSentence } from '../../files/rules/rule.ts'
import { countOf } from '../../plural.ts'

const FAULTS = {
  many_headers: ({ max }: { max: number }) => `Use at most ${max} headers.`,
  header_line_invalid: ({ line }: { line: string }) =>
    `“${line}” is not a valid header. Use the format Name: value.`,
  header_line_repeated: ({ name }: { name: string }) =>
    `The header ${name} appears more than once. Write its values on one line, separated by commas.`,
  /** `usesDoubleQuotes`: in an expression of the template, where they end the JSON text. */
  json_invalid: ({ reason, usesDoubleQuotes }: { reason: string; usesDoubleQuotes: boolean }) =>
    `This is not valid JSON: ${reason}${usesDoubleQuotes ? ". Use single quotes: default: 'text'." : ''}`,
  variable_new: ({ name }: { name: string }) =>
    `\${${name}} is new to this webhook. Add environment variables in the form’s file instead.`,
  variable_moved: ({ name, origin }: { name: string; origin: string }) =>
    `\${${name}} is sent only to ${origin}. To use another origin, edit the form’s file.`,
}

/** A problem with a webhook beside the rules of its definition. */
export type InputFault = MessageOf<typeof FAULTS>

const describeFault = createMessages(FAULTS)

/** Says what is wrong with an input, or with a part of it such as `condition 2`. */
export function describeInputProblem(problem: InputFault | Problem): string {
  if (!('path' in problem)) return describeFault(problem)
  const place = problem.path.map((part) =>
    typeof part === 'number' ? `condition ${part + 1}` : String(part),
  )
  const where = place.filter((part) => part !== 'all' && part !== 'any').join(', ')
  return where === '' ? ruleSentence(problem) : endSentence(`${where}: ${adviceOf(problem)}`)
}

/** The list of webhooks, and those of one form. */
export const webhookTexts = {
  title: 'Webhooks',
  lead: 'Send leads to your CRM, chat app, or spreadsheet as they arrive.',
  titleOf: (form: string) => `Webhooks for ${form}`,
  columns: ['Webhook', 'Status', 'Pending', 'Latest delivery', 'Form', ''],
  buttons: {
    addTo: 'Add webhook to…',
    add: 'Add webhook',
    addFirst: 'Add first webhook',
    deliveries: 'Deliveries',
    allDeliveries: 'All deliveries',
  },
  empty: {
    title: 'No webhooks yet',
    text: 'A webhook sends each lead to another system, such as a CRM, a chat app, or a spreadsheet. Choose a form above to add a webhook.',
  },
  emptyForm: {
    title: 'This form has no webhooks yet',
    text: 'A webhook sends each lead to another system, with the fields and conditions you choose.',
  },
  withConditions: 'No leads, because the conditions are invalid',
  neverUsed: (other: string) => `Never used, because “${other}” sends every lead.`,
  turnedOffManually: 'Turned off manually',
  pausedSince: 'Paused since',
  failingSince: 'Every attempt has failed since',
  dueSince: 'Due since',
  noDelivery: 'None yet',
  lostFields: (names: readonly string[]) =>
    `Uses ${quotedList(names)}, which the form no longer asks for. ${names.length === 1 ? 'This value is' : 'These values are'} always empty.`,
}

/** The page of one webhook: its state, and what can be done. */
export const webhookState = {
  turnedOffOn: 'Signpost turned off this webhook on',
  turnedOffBecause: (reason: string) =>
    `Reason: ${reason}. Once the receiver is working again, select “Active”, save, and resend the failed deliveries.`,
  off: 'This webhook is off, so nothing is sent. To turn it on, select “Active” and save.',
  pausedSince: 'Paused since',
  paused: 'New deliveries stay pending until you resume the webhook.',
  failingSince: 'Every attempt has failed since',
  failing: 'Signpost will turn the webhook off after five days of failures.',
  showResponses: 'Show the receiver’s responses',
  actions: 'Status and actions',
  buttons: {
    pause: 'Pause',
    resume: 'Resume',
    test: 'Send test',
    replaceSecret: 'Replace secret…',
    generateSecret: 'Generate secret…',
    resend: 'Resend deliveries…',
    deliveries: 'Deliveries',
    delete: 'Delete…',
  },
  signed: 'Requests are signed.',
  unsigned: 'Requests are not signed, so the receiver can’t verify them.',
  previousUntil: (count: number) =>
    count === 1
      ? 'The previous secret is valid until'
      : `The newest of the ${count} previous secrets is valid until`,
  wasPaused: 'Paused. New deliveries will stay pending until you resume the webhook.',
  wasResumed: 'Resumed. Pending deliveries are being sent, oldest first.',
  testSent: 'Test sent. Reload this page to see the response.',
  testOfPaused: 'Resume this webhook to send a test.',
}

/** A webhook that can't be read, as of a damaged database. */
export const unreadableWebhook = ({ id, column, problem }: { id: number; column: string; problem: string }) =>
  `The ${column} of webhook ${id} can’t be read: ${problem}`

/** The question before a webhook is deleted. */
export const webhookDeletion = {
  question: (name: string) => `Delete the webhook “${name}”?`,
  button: 'Delete webhook',
  loses: ['its URL, conditions, template, and signing secret', 'its pending deliveries'],
  kept: 'The delivery log will be kept. To stop the webhook for a while and keep pending deliveries, pause it instead.',
  done: (name: string) => `Webhook “${name}” deleted.`,
}

/** The signing secret of a webhook. */
export const secretTexts = {
  generate: { title: 'Generate a signing secret?', button: 'Generate secret' },
  replace: { title: 'Replace the signing secret?', button: 'Replace secret' },
  effect: 'The new secret will be shown only once and will sign all future requests.',
  previous: 'The previous secret will stay valid for 24 hours.',
  title: 'Signing secret',
  heading: 'Your new signing secret',
  copy: 'Copy the secret now. It is shown only once.',
  label: 'Signing secret',
  store:
    'Store the whole secret, including whsec_, in the receiver. Standard Webhooks libraries use it to verify requests.',
  both: 'For 24 hours, requests will also be signed with the previous secret.',
  done: 'Done',
}

/** Activity entries about webhooks. */
export const webhookActivity = {
  added: (name: string, form: string) => `Added the webhook “${name}” to the form ${form}`,
  changed: (name: string, form: string) => `Changed the webhook “${name}” in the form ${form}`,
  moved: ({ change, from, to }: Record<'change' | 'from' | 'to', string>) =>
    `${change}: destination changed from ${from} to ${to}`,
  deleted: (name: string, form: string) => `Deleted the webhook “${name}” from the form ${form}`,
  paused: (name: string) => `Paused the webhook “${name}”`,
  resumed: (name: string) => `Resumed the webhook “${name}”`,
  tested: (name: string) => `Sent a test to the webhook “${name}”`,
  secretGenerated: (name: string) => `Generated the signing secret for the webhook “${name}”`,
  secretReplaced: (name: string) => `Replaced the signing secret for the webhook “${name}”`,
  resent: (count: number, name: string) =>
    `Resent ${countOf(count, { one: 'delivery', other: 'deliveries' })} for the webhook “${name}”`,
}

export function quotedList(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names.map((name) => `“${name}”`))
}
