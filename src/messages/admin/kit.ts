import { formatCount } from '../plural.ts'

/** Texts shared by many screens: buttons, forms, lists, and the 404 page. */
export const kitTexts = {
  cancel: 'Cancel',
  setup: 'How to set this up',
  undo: 'Undo',
  readOnly: 'Your role lets you view this page but not change it.',
  clear: 'Clear',
  filter: 'Filter',
  all: 'All',
  optional: '(optional)',
  actions: 'Actions',
  breadcrumb: 'Breadcrumb',
  pages: 'Pagination',
  newer: 'Newer',
  older: 'Older',
  firstPage: 'First page',
  nextPage: 'Next page',
  yes: 'Yes',
  no: 'No',
  colleague: 'a colleague',
  andMore: (count: number) => `and ${formatCount(count)} more`,
  noUndo: 'You can’t undo this.',
  onlyToTrash: 'You can restore deleted items from the trash for 30 days.',
  toTrash: 'You can restore deleted items from the trash for 30 days. The following will also be deleted:',
  alsoDeletes: 'You can’t undo this. The following will also be deleted:',
  notSaved: 'Nothing was saved. Check the marked fields.',
  checkFields: 'Check the marked fields.',
  outdated: (thing: string) =>
    `Someone else saved the ${thing} after you opened this page. Your changes were not saved. Save again to replace the other changes, or reload the page to see them.`,
  outdatedPage: 'Something was saved after you opened the page. Check the page, then try again.',
  nothingChanged: (reason: string) => `Nothing was changed. ${reason}`,
}

/** Answers to values of forms that many screens share. */
export const formTexts = {
  maxCharacters: (max: number) => `Use at most ${max} characters.`,
  emailMissing: 'Enter an email address.',
  emailInvalid: 'Enter an email address such as ann@example.com.',
}

/** Statuses whose labels differ from their codes. */
export const statusLabels: Readonly<Record<string, string>> = {
  cancelled: 'canceled',
}

/** The buttons of a list whose rows a script adds and moves; a noun is `field` or `question`. */
export const rowTexts = {
  add: (noun: string) => `Add ${noun}`,
  moveUp: (noun: string) => `Move this ${noun} up`,
  moveDown: (noun: string) => `Move this ${noun} down`,
  remove: (noun: string) => `Remove this ${noun}`,
}

/** The page for an address that has none. */
export const notFoundTexts = {
  title: 'Page not found',
  text: 'The page may have been removed, or the address may be mistyped.',
  back: 'Go to the dashboard',
}
