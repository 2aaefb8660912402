import { countOf } from '../../plural.ts'

/** The replacement of a former phone number in texts. */
export const replacementTexts = {
  title: 'Replace the old number',
  lead: 'Each page will get a new version. Publish to show the changes to visitors.',
  open: 'Replace on all pages',
  numbers: (former: string, phone: string) => `${former} will be replaced with ${phone}.`,
  notSearched:
    'Forms, emails, and the descriptions of places and categories aren’t searched. Replace the old number there yourself.',
  before: 'Before',
  after: 'After',
  replaced: 'The old number was replaced. Publish to show the changes to visitors.',
  replacedSome: (count: number) =>
    `The old number was replaced on ${countOf(count, { one: 'page', other: 'pages' })}. These pages still have the old number:`,
  refused: 'These pages still have the old number:',
  reason: (name: string, reason: string) => `${name}: ${reason}`,
  hasDraft: 'This page has a draft. Add the draft to the next publish or discard it, then try again.',
  settingsDraft:
    'The settings have a draft. Add the draft to the next publish or discard it, then try again.',
  outdated: 'Someone else changed this page. Try again.',
}
