import { countOf, formatCount } from '../plural.ts'

const PAGES = { one: 'changed page', other: 'changed pages' }

/** The page behind a preview link. */
export const previewPageTexts = {
  title: (site: string | undefined) => (site ? `Preview of ${site}` : 'Preview of unpublished changes'),
  lead: 'Only people with this link can see these pages. Forms are turned off here.',
  edits: 'What changed',
  editStates: { added: 'new', edited: 'changed', removed: 'removed' },
  removedText: 'removed:',
  addedText: 'added:',
  pages: (count: number) => countOf(count, PAGES),
  listed: (first: number, last: number, count: number) =>
    `${formatCount(first)}–${formatCount(last)} of ${formatCount(count)}`,
  previousList: 'Previous pages',
  nextList: 'More pages',
  changes: { added: 'new', changed: 'changed', removed: 'removed', same: 'same' },
  compare: 'Compare',
  oldPage: 'Live page',
  newPage: 'New page',
  back: 'All changed pages',
  previous: 'Previous changed page',
  next: 'Next changed page',
  position: (page: number, pages: number) => `Changed page ${page} of ${pages}`,
  approval: 'Your response',
  name: 'Your name',
  note: 'Note',
  approve: 'Approve these pages',
  askChanges: 'Request changes',
  approveHint: 'Your name and note go to the people who run this site.',
  nameMissing: 'Enter your name.',
  noteMissing: 'Enter your name, and say in the note what to change.',
  sides: 'Page to show',
  sent: {
    approved: 'Thank you. Your approval was sent.',
    changes: 'Thank you. Your request was sent.',
  },
  approved: (name: string) => `${name} approved these pages.`,
  asked: (name: string) => `${name} requested changes:`,
  making: 'The preview is being prepared',
  makingText: 'This page refreshes every five seconds until the preview is ready.',
  gone: 'This preview is closed',
  goneText: 'The link has expired or was turned off. Ask for a new link.',
  notFound: 'Page not found',
  notFoundText: 'The site has no page at this address.',
}
