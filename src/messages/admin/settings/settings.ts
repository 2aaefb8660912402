import { createMessages } from '#src/lib/messages.ts'
import { dialableNumber } from '#src/messages/phone-number.ts'

/** Problems with a setting beside the rules of files. */
export const FAULTS_OF_SETTINGS = {
  /** A phone number that nobody can dial in this country. */
  undialable: ({ country }: { country: string }) => `Enter ${dialableNumber(country)}.`,
  form_unknown: ({ slug }: { slug: string }) => `The form ${slug} doesn’t exist.`,
  picture_unknown: ({ name }: { name: string }) => `The picture ${name} doesn’t exist.`,
  tags_of_owners: () =>
    'This version would change tags from other services. Only owners can change those tags.',
  stage_in_use: ({ name }: { name: string }) =>
    `This version doesn’t have the stage ${name}, but some leads are in that stage. Move them to another stage first.`,
}

/** Values to enter in a field, for any problem. */
const FIELDS = {
  name: () => 'Enter the business name.',
  email: () => 'Enter an email address such as office@example.com.',
  country: () => 'Choose a country from the list.',
  language: () => 'Enter a language code such as en, en-IE, or ja.',
  time_zone: () => 'Choose a time zone from the list.',
  quality_threshold: () => 'Enter a whole number from 0 to 100.',
  'theme.radius': () => 'Enter a whole number from 0 to 32.',
}

/** Says what to enter in a field. */
export const describeField = createMessages(FIELDS)

export function hasOwnText(field: string): field is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, field)
}

/** Position of a wrong row: `Link 2`, and its column. */
interface Place {
  row: string
  column: string | undefined
}

/** Says what is wrong with a row of a list. */
export const describeRow = createMessages({
  undialable: ({ row, country }: Place & { country: string }) => `${row}: enter ${dialableNumber(country)}.`,
  wrong_form: ({ row, advice }: Place & { advice: string }) => `${row}: ${advice}.`,
  incomplete: ({ row, column }: Place) =>
    `${row}: fill in ${column ?? 'all fields'}, or clear the whole row.`,
})

/** The settings of the site. */
export const settingsPage = {
  title: 'Settings',
  lead: 'Your business details appear on every page. Publish to show changes to visitors.',
  thing: 'settings',
  buttons: { publish: 'Publish' },
  saved: 'Settings saved. Publish to show the changes to visitors.',
  /** Before the list of pages that repeat a former value. */
  oldUses: {
    name: (name: string) => `The old business name, ${name}, still appears on:`,
    phone: (phone: string) => `The old number, ${phone}, still appears on:`,
  },
  otherSettings: 'Other settings on this page',
  unchanged: 'Nothing was changed.',
  draftSaved: 'Saved a draft of the site settings',
  draftUsed: 'Added the draft of the site settings to the next publish',
  draftDiscarded: 'Discarded the draft of the site settings',
  draftAlsoChanges: (screen: string, names: string) => `This draft also changes ${screen}: ${names}.`,
  draftReplaces: (names: string) => `This draft will replace newer values: ${names}.`,
  activity: (names: string) => `Changed the site settings: ${names}`,
  allowedOrigins: 'Your tags may load from:',
  jump: 'Settings by topic',
  showMissing: 'Show pages missing from search',
  sections: {
    business: { title: 'Name and logo', lead: 'Shown in the header, the footer, and search results.' },
    contact: {
      title: 'Phone and address',
      lead: 'How visitors can reach you. Enter one phone number per field.',
    },
    region: { title: 'Region', lead: 'Your country, time zone, and language.' },
    hours: { title: 'Opening hours', lead: 'Opening hours appear in this order.' },
    links: { title: 'Links', lead: 'The menu on every page, and links to your social profiles.' },
    pages: { title: 'Pages', lead: 'Page defaults and visibility in search.' },
    measuring: { title: 'Analytics', lead: 'Record lead sources, and add tags from other services.' },
    privacy: { title: 'Privacy', lead: 'Choose what the activity log records.' },
    look: { title: 'Theme and colors', lead: 'Choose a theme, then change its colors.' },
    home: {
      title: 'Home page',
      lead: 'To edit the heading, pictures, and text, go to the Home page screen.',
    },
    sections: {
      title: 'Sections',
      lead: 'Choose which sections pages show, and in what order. You can customize individual pages.',
    },
  },
  palettes: { light: 'Colors', dark: 'Colors in dark mode' },
  palette: {
    hint: 'For example, #2f42a5. Leave empty for the theme’s color. Unreadable colors are rejected.',
    pick: (role: string) => `Pick a color: ${role}`,
    readable: (contrast: string, role: string) => `Contrast with ${role}: ${contrast}. Readable.`,
    unreadable: (contrast: string, role: string, least: number) =>
      `Contrast with ${role}: ${contrast}. Hard to read: at least ${least} is required.`,
    invalid: 'Enter a color such as #2f42a5.',
  },
  undialable: ({ number, country }: { number: string; country: string }) =>
    `${number} can’t be dialed, so it has no link on the site. Enter ${dialableNumber(country)}.`,
  rowField: ({ column, noun, row }: { column: string; noun: string; row: number }) =>
    `${column}, ${noun} ${row}`,
  row: 'row',
  defaultCountry: (country: string) => `${country} (default)`,
  serverTimeZone: (zone: string) => `Same as the server (${zone})`,
}
