import { findFieldType } from '../../forms/field-types/field-types.ts'
import type { Answers, FormField } from '../../forms/form.ts'
import { withoutDirectionMarks } from '../../lib/characters.ts'
import { leadTexts } from '../../messages/admin/leads.ts'
import { readableAnswer } from './label-answers.ts'

const NAMES = ['full_name', 'name', 'your_name', 'first_name', 'company', 'email', 'phone']
const MAX_SENDER = 100
const MAX_EXCERPT = 200
// Shorter answers rarely say what the person needs.
const MAX_LABEL = 12

/**
 * Returns the sender and subject of a submission for a line in a list: what the person wrote, or else their contact
 * details and choices. Leaves out ticked boxes, which say nothing without their question, hidden fields, and answers
 * equal to `shown`, which is beside the line.
 */
export function summarize(
  answers: Answers,
  fields: readonly FormField[] = [],
  shown?: string | null,
): { sender: string; excerpt: string } {
  const asked = new Map(fields.map((field) => [field.name, field]))
  const texts = Object.entries(answers)
    .filter(([name, answer]) => typeof answer !== 'boolean' && !isHidden(asked.get(name)))
    .map(([name, answer]) => [name, readableAnswer(answer, asked.get(name)).trim()] as const)
  const given = texts.filter(([, text]) => text !== '')
  const [senderName, sender] =
    NAMES.flatMap((name) => given.filter((one) => one[0] === name))[0] ?? given[0] ?? []
  const others = given.filter(([name, text]) => name !== senderName && text !== shown)
  const told = others.filter(
    ([name, text]) => !NAMES.includes(name) && !isChosen(asked.get(name)) && text.length > MAX_LABEL,
  )
  const rest = (told.length > 0 ? told : others).map(([, text]) => text)
  return {
    sender: shorten(sender ?? leadTexts.noAnswers, MAX_SENDER),
    excerpt: shorten(rest.join(' · '), MAX_EXCERPT),
  }
}

function isChosen(field: FormField | undefined): boolean {
  return (field?.options.length ?? 0) > 0 || findFieldType(field?.type)?.format !== undefined
}

function isHidden(field: FormField | undefined): boolean {
  return findFieldType(field?.type)?.widget === 'hidden'
}

// Cuts between whole characters, never inside a surrogate pair.
function shorten(text: string, length: number): string {
  const line = withoutDirectionMarks(text).replace(/\s+/g, ' ')
  return line.length <= length ? line : [...line.slice(0, length * 2)].slice(0, length).join('')
}
