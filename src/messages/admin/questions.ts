import { withoutLinks } from '#src/lib/markdown/link-parts.ts'
import { createMessages } from '#src/lib/messages.ts'
import type { Bounds } from '../files/rules/forms.ts'
import { type AdminProblem, describeProblem } from './problems.ts'

const MEBIBYTE = 1024 * 1024

/** The names of webhooks and emails that mention a field. */
export interface FieldMentions {
  webhooks: readonly string[]
  emails: readonly string[]
}

function nameMentions({ webhooks, emails }: FieldMentions): string {
  const parts = [
    { names: webhooks, one: 'this webhook', many: 'these webhooks' },
    { names: emails, one: 'this email', many: 'these emails' },
  ]
  return parts
    .filter(({ names }) => names.length > 0)
    .map(({ names, one, many }) => `${names.length === 1 ? one : many}: ${names.join(', ')}`)
    .join('; ')
}

/** The questions of a form. */
export const questionTexts = {
  title: 'Questions',
  empty: { title: 'No questions yet', text: 'Add the questions you want visitors to answer.' },
  buttons: { add: 'Add question', addFirst: 'Add first question', edit: 'Edit', remove: 'Remove question' },
  moveUp: 'Move up',
  moveDown: 'Move down',
  remove: 'Remove',
  moveUpOf: (label: string) => `Move ${withoutLinks(label)} up`,
  moveDownOf: (label: string) => `Move ${withoutLinks(label)} down`,
  removeOf: (label: string) => `Remove ${withoutLinks(label)}`,
  editOf: (label: string) => `Edit ${withoutLinks(label)}`,
  ordered: 'Order saved.',
  orderRefused:
    'The order was not saved because a question in this form is invalid. Correct that question first.',
}

/** The editor of a question. */
export const questionEditor = {
  thing: 'question',
  addTitle: (form: string) => `Add question to ${form}`,
  title: (label: string, form: string) => `${withoutLinks(label)} · ${form}`,
  heading: 'Add question',
  buttons: {
    add: 'Add question',
    save: 'Save question',
    preview: 'Update preview',
    showSettings: 'Show settings',
  },
  labels: {
    type: 'Answer type',
    label: 'Question',
    key: 'Key',
    required: 'Required',
    options: 'Choices',
    help: 'Help text',
    validation: 'Validation',
    minLength: 'Minimum length',
    maxLength: 'Maximum length',
    accept: 'File types',
    maxSize: 'Maximum size (MB)',
    pattern: 'Pattern',
    message: 'Error message',
  },
  hints: {
    link: 'To add a link, write [privacy policy](/privacy).',
    key: 'Names the answer in exports and webhooks, as in full_name. Earlier answers keep their key.',
    accept: 'For example, image/*, .pdf, .docx. Leave empty to allow every supported type.',
    maxSize: 'The default is 10, and the maximum is 25.',
    pattern: 'The whole answer must match this regular expression (RE2), such as [0-9]{5}.',
    message: 'Replaces the standard message.',
  },
  added: (label: string) => `Question “${withoutLinks(label)}” added.`,
  saved: (label: string) => `Question “${withoutLinks(label)}” saved.`,
  formerKey: (key: string, mentions: FieldMentions) =>
    `The old key “${key}” is now always empty, but is still used by ${nameMentions(mentions)}.`,
}

// Files call these settings by their keys, and give sizes in bytes.
const RULES = {
  bound_invalid: ({ expected }: { expected: string }) => `Enter ${expected}.`,
  bounds_crossed: ({ min, max }: Bounds) =>
    typeof min === 'string' ? `${min} is after ${max}.` : `${min} is more than the maximum, ${max}.`,
  lengths_crossed: ({ min, max }: Bounds) => `${min} is more than the maximum length, ${max}.`,
  default_refused: ({ problem }: { problem: string }) => `Visitors can’t submit this answer. ${problem}.`,
  number_of_bytes: () => 'Enter a number of megabytes.',
  max_size_too_large: ({ max }: { max: number }) => `Enter a number up to ${max / MEBIBYTE}.`,
}
const describeRule = createMessages(RULES)

/** Returns the sentence of a problem with a question. */
export function describeQuestionProblem(problem: AdminProblem): string {
  return isOfSetting(problem) ? describeRule(problem) : describeProblem(problem)
}

function isOfSetting(problem: AdminProblem): problem is Extract<AdminProblem, { code: keyof typeof RULES }> {
  return Object.hasOwn(RULES, problem.code)
}

/** Choices of a question as rows, which a script shows in place of their text. */
export const optionRowTexts = {
  legend: 'Choices',
  noun: 'choice',
  asText: 'Choices as text',
  labels: { label: 'Label', value: 'Stored value' },
  label: (row: number) => `Choice ${row}: label`,
  value: (row: number) => `Choice ${row}: stored value`,
}

/** The question before a question is removed. */
export const questionRemoval = {
  question: (label: string) => `Remove the question “${withoutLinks(label)}”?`,
  button: 'Remove question',
  effect: 'The form will no longer ask this question. Earlier answers will stay in the inbox.',
  until: 'Until you publish, your site will still ask this question and save the answers.',
  mentions: (mentions: FieldMentions) => `This answer will always be empty in ${nameMentions(mentions)}.`,
  done: (label: string) => `Question “${withoutLinks(label)}” removed.`,
}
