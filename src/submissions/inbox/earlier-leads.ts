import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { findFieldType } from '../../forms/field-types/field-types.ts'
import { toDialable } from '../../lib/locale/phone-number.ts'
import { emailMark, normalizeEmail, phoneMark } from '../search/contact-marks.ts'
import { leadsWithMarks } from '../search/marked-leads-store.ts'
import type { Submission } from '../submission.ts'
import { listSubmissionsById } from '../submission-store.ts'
import type { LabelledAnswer } from './label-answers.ts'

/** Maximum number shown on a lead's page. */
const MOST_EARLIER = 5

// Numbers such as 0000000 occur in thousands of leads, and other numbers may share the last digits.
const MOST_COMPARED = 100

/** Other leads of the same person, newest first. */
export interface EarlierLeads {
  leads: Submission[]
  /** This lead's email address and phone number, if there are more leads than listed. */
  contacts: string[]
}

/**
 * Finds earlier leads with the same email address or phone number in any answer, except spam. Phone numbers without a
 * country code are read as numbers of `country`.
 */
export async function findEarlierLeads(
  db: Db,
  { submission, answers }: { submission: Pick<Submission, 'id'>; answers: readonly LabelledAnswer[] },
  { scope, country }: { scope: LeadScope; country: string },
): Promise<EarlierLeads> {
  const contacts = contactsOf(answers, country)
  const marks = contacts.map(({ mark }) => mark)
  if (marks.length === 0) return { leads: [], contacts: [] }
  const marked = leadsWithMarks(db, { scope, marks, before: submission.id, limit: MOST_COMPARED })
  const leads = (await listSubmissionsById(db, marked, scope))
    .filter((lead) => isOfSame(lead, contacts, country))
    .sort((a, b) => b.id - a.id)
  const hasMore = leads.length > MOST_EARLIER
  return { leads: leads.slice(0, MOST_EARLIER), contacts: hasMore ? contacts.map(({ text }) => text) : [] }
}

interface Contact {
  kind: 'email' | 'phone'
  /** As typed. */
  text: string
  /** Normalized for comparison. */
  plain: string
  mark: string
}

function contactsOf(answers: readonly LabelledAnswer[], country: string): Contact[] {
  return answers.flatMap(({ answer, field, name }) => {
    const kind = findFieldType(field?.type ?? name)?.contact
    if (kind === undefined || typeof answer !== 'string') return []
    const plain = kind === 'email' ? normalizeEmail(answer) : plainPhone(answer, country)
    const mark = plain && (kind === 'email' ? emailMark(plain) : phoneMark(plain))
    return plain && mark ? [{ kind, text: answer, plain, mark }] : []
  })
}

function isOfSame({ answers }: Submission, contacts: readonly Contact[], country: string): boolean {
  const texts = Object.values(answers).filter((answer) => typeof answer === 'string')
  return contacts.some(({ kind, plain, mark }) =>
    texts.some((text) =>
      kind === 'email'
        ? normalizeEmail(text) === plain
        : phoneMark(text) === mark && plainPhone(text, country) === plain,
    ),
  )
}

// A number that can't be dialed equals any number with the same digits.
function plainPhone(text: string, country: string): string {
  return toDialable(text, country) ?? text.replace(/\D/g, '')
}
