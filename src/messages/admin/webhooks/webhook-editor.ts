import { withoutLinks } from '#src/lib/markdown/link-parts.ts'
import { countOf } from '../../plural.ts'
import { quotedList } from './webhooks.ts'

/** The editor of a webhook. */
export const webhookEditor = {
  title: 'Add webhook',
  lead: (form: string) => `Sends new leads from “${form}” to your URL.`,
  headings: { to: 'Destination', what: 'Request body', try: 'Try before saving' },
  labels: {
    name: 'Name',
    method: 'Method',
    url: 'URL',
    password: 'Current password',
    headers: 'Headers',
    retries: 'Retries',
    active: 'Active',
    redirects: 'Count redirects as delivered',
    secret: 'Generate signing secret',
    template: 'Body template',
    lead: 'Lead ID',
  },
  hints: {
    name: 'For example, Office, CRM, or Slack.',
    password: 'Changing the URL’s origin removes stored secrets. Enter them again after saving.',
    headers: 'One per line, as Name: value. Keep the dots to leave a secret unchanged.',
    retries: 'Attempts after the first one. By default, six retries take about 35 hours.',
    active: 'Turning the webhook off cancels pending deliveries. Pausing the webhook keeps them.',
    redirects: 'Needed for receivers such as Google Apps Script. Redirects are never followed.',
    secret: 'The receiver verifies requests with this secret, which is shown only once.',
    template: 'Use JSON with references. Leave empty to send all answers.',
  },
  templateNotes:
    'A reference on its own sends the value with its type, and an empty answer becomes null. Inside other text, the value is inserted as text. For chat apps such as Slack, add | escape so that an answer can’t notify the whole channel.',
  placeholders: {
    url: 'https://hooks.example.com/leads',
    headers: 'Authorization: Bearer …',
    template: '{\n  "text": "{{email | escape}} in {{meta.location_name | default: \'no place\'}}"\n}',
    lead: 'latest',
  },
  tryOut: 'Preview and dry run apply your unsaved changes to stored leads. Nothing is sent or saved.',
  buttons: {
    save: 'Save webhook',
    add: 'Add webhook',
    cancel: 'Cancel',
    preview: 'Preview request',
    dryRun: (leads: number) => `Dry run on ${leads} leads`,
  },
  insertReference: 'Insert at the cursor in the template',
  saved: 'Saved. These settings apply to new requests.',
  added: (name: string) => `Webhook “${name}” added.`,
  addedWithSecret: (name: string) => `Webhook “${name}” added. Generate its signing secret now.`,
  secretsDropped: (list: readonly string[]) =>
    `Saved. Enter ${new Intl.ListFormat('en').format(list)} again, because stored secrets are not sent to another origin.`,
  droppedHeader: (name: string) => `the header ${name}`,
  droppedSecret: 'the signing secret',
  notSendable: (saved: string) => `${saved} Signpost can’t send anything to this URL.`,
  passwordMissing: 'Enter your password to send this webhook to another origin.',
}

/** The conditions of a webhook in its editor. */
export const conditionTexts = {
  title: 'Conditions',
  legend: 'Send these leads',
  matches: {
    always: 'Every lead',
    all: 'Leads that match all of these conditions',
    any: 'Leads that match any of these conditions',
    json: 'Leads that match a condition in JSON',
    fallback: 'Leads with no other webhook',
  },
  hint: 'Separate the values of “is one of” with commas. Comparisons are case-sensitive.',
  noun: 'condition',
  buttons: { add: 'Add condition' },
  json: {
    label: 'Condition as JSON',
    hint: 'Combine conditions with all, any, and not. For example:',
  },
  chooseField: 'Choose a field',
  unknownField: (name: string) => `${name} (not in the form)`,
  field: (label: string, name: string) => `${label} (${name})`,
  fields: { place: 'Place', service: 'Service', placeName: 'Place name', serviceName: 'Service name' },
  groups: {
    subject: 'Place and service',
    source: 'Source',
    answers: 'Answers',
    developers: 'For developers',
  },
  fieldOf: (rule: number) => `Condition ${rule}: field`,
  operatorOf: (rule: number) => `Condition ${rule}: operator`,
  valueOf: (rule: number) => `Condition ${rule}: value`,
  remove: (rule: number) => `Remove condition ${rule}`,
  value: 'Value',
  unknown: {
    places: (slugs: readonly string[]) =>
      `The conditions use ${unknownSlugs(slugs, 'place')}. Correct the conditions.`,
    services: (slugs: readonly string[]) =>
      `The conditions use ${unknownSlugs(slugs, 'service')}. Correct the conditions.`,
    choices: ({ label, values }: { label: string; values: readonly unknown[] }) =>
      `The conditions use ${quotedList(values.map(String))}, but “${withoutLinks(label)}” has no such choice. Correct the conditions.`,
    reused: ({ slug, now, before }: { slug: string; now: string; before: string }) =>
      `In the conditions, “${slug}” now means ${now} instead of ${before}. Check the conditions.`,
    showPlaces: 'Show service areas and their addresses',
  },
}

function unknownSlugs(slugs: readonly string[], thing: 'place' | 'service'): string {
  return `${quotedList(slugs)}, but no ${thing} has ${slugs.length === 1 ? 'this address' : 'these addresses'}`
}

/** A condition rule by rule, with what the lead has. */
export const traceTexts = {
  all: 'All of these must be true',
  any: 'At least one of these must be true',
  not: 'This must not be true',
  met: 'Met',
  notMet: 'Not met',
  saw: 'Value in the lead:',
  show: 'Show the conditions',
}

/** References of a template. */
export const referenceTexts = {
  title: 'References',
  answers: 'Answers',
  meta: 'About the lead',
  filters: 'Filters, inside the braces',
  optionLabel: (label: string) => `${label} (choice label)`,
  defaultFilter: 'Replaces an empty answer. Use single quotes inside JSON.',
  textFilter: 'Always sends text: an empty answer becomes "", and a list is joined with commas.',
  escapeFilter: 'Escapes &, <, and >. Use this filter for Slack and Google Chat.',
}

/** Values of a template that can be null. */
export const nullTexts = {
  title: (count: number) =>
    `${count === 1 ? 'This value is' : 'These values are'} null when the answer is empty. Slack, Discord, Teams, and HubSpot reject null where they expect text.`,
  replace: 'Replace',
  by: 'with',
  keep: 'To send null intentionally, use',
}

/** A request before it is saved. */
export const previewTexts = {
  title: 'Preview',
  fires: 'This lead matches the conditions. The webhook would send this request:',
  doesNotFire: (reason: string) =>
    `The webhook would not send this lead: ${reason}. Without conditions, the webhook would send this request:`,
  noLead:
    'No lead found. To use the latest lead, leave the ID empty. If this form has no leads yet, submit it once.',
  body: 'Request body preview',
}

const LEADS = { one: 'lead', other: 'leads' }

// Compares the bodies of leads that the saved and the new settings send.
function bodiesOf(both: number, differ: number): string {
  if (both === 1)
    return ` The one lead that both sets of settings would send has ${differ === 0 ? 'the same' : 'a different'} request body.`
  const count = differ === 0 ? 'none have' : differ === 1 ? '1 has' : `${differ} have`
  return ` Of the ${both} leads that both sets of settings would send, ${count} a different request body.`
}

/** The dry run on stored leads. */
export const dryRunTexts = {
  title: 'Dry run',
  empty: 'This form has no leads yet.',
  result: ({ leads, fires }: { leads: number; fires: number }) =>
    leads === 1
      ? `These settings would ${fires === 1 ? 'send' : 'not send'} the latest lead.`
      : `These settings would send ${fires} of the latest ${leads} leads.`,
  comparison: ({ fired, both, differ }: { fired: number; both: number; differ: number }) =>
    `The saved settings would send ${countOf(fired, LEADS)}.${both === 0 ? '' : bodiesOf(both, differ)}`,
  caption: 'Dry run on the latest leads',
  columns: ['Lead', 'Received', 'Saved settings', 'New settings', 'Body'],
  newColumns: ['Lead', 'Received', 'Result'],
  fires: 'Would be sent',
  doesNotFire: (reason: string) => `Would not be sent: ${reason}`,
  differs: 'Changed',
  same: 'Same',
  stored: 'Saved settings',
  now: 'New settings',
  noBody: 'No body',
  storedBodyOf: (lead: number) => `Saved request body for lead #${lead}`,
  bodyOf: (lead: number) => `New request body for lead #${lead}`,
}
