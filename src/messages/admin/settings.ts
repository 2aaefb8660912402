import { describeDialable } from '../../lib/locale/phone-number.ts'
import { createMessages } from '../../lib/messages.ts'

/** What is wrong with a setting beside the rules of files. */
export const FAULTS_OF_SETTINGS = {
  /** A phone number that nobody can dial in this country. */
  undialable: ({ country }: { country: string }) => `Enter ${describeDialable(country)}.`,
  form_unknown: ({ slug }: { slug: string }) => `There is no form ${slug}.`,
  picture_unknown: ({ name }: { name: string }) => `There is no picture ${name}.`,
}

/** What to enter in a field, whatever is wrong with it. */
const FIELDS = {
  name: () => 'Enter the name of the business.',
  email: () => 'Enter an email address such as office@example.com.',
  country: () => 'Choose a country from the list.',
  language: () => 'Enter a language code such as en, en-IE or ja.',
  time_zone: () => 'Choose a time zone from the list.',
  quality_threshold: () => 'Enter a whole number from 0 to 100.',
  'theme.radius': () => 'Enter a whole number from 0 to 32.',
}

/** Says what to enter in a field. */
export const describeField = createMessages(FIELDS)

export function hasOwnText(field: string): field is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, field)
}

/** Where a row is wrong: `Link 2`, and its column. */
interface Place {
  row: string
  column: string | undefined
}

/** Says what is wrong with a row of a list. */
export const describeRow = createMessages({
  undialable: ({ row, country }: Place & { country: string }) =>
    `${row}: enter ${describeDialable(country)}.`,
  wrong_form: ({ row, column, expected }: Place & { expected: string }) =>
    `${row}: ${upperFirst(`${column}, ${expected}`)}.`,
  incomplete: ({ row, column }: Place) =>
    `${row}: fill in ${column ?? 'all fields'}, or clear the whole row.`,
})

function upperFirst(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}
