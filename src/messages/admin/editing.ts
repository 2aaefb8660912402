// Browser scripts import this file, so it imports nothing: a part shared with public scripts would not fit into an embedded form.
/** The toolbar above a text in Markdown. */
export const markdownTexts = {
  toolbar: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  heading: 'Subheading',
  bullets: 'Bulleted list',
  numbers: 'Numbered list',
  quote: 'Quote',
}

/** Links in a text, and the dialog that adds one. */
export const linkTexts = {
  title: 'Add link',
  text: 'Link text',
  address: 'Page or address',
  hint: 'Search by name, or enter an address.',
  results: 'Pages on your site',
  none: 'No pages found.',
  lost: 'The search failed. Try again.',
  insert: 'Add link',
  cancel: 'Cancel',
  home: 'Home page',
  services: 'All services',
  broken: ({ label, target }: { label: string; target: string }) =>
    `The link to ${target} in ${label} is broken.`,
}

/** The buttons at the bottom of a long form. */
export const saveBarTexts = { more: 'More actions' }

/** The schedule of an entry. */
export const scheduleTexts = {
  cancel: 'Cancel schedule',
  isOver: 'The page is no longer scheduled.',
  isCanceled: (name: string) => `“${name}” is now a draft and is no longer scheduled.`,
  goesLive: 'Goes live on',
  goesOffline: 'Goes offline on',
  alone: 'Only this entry will be published at the scheduled time.',
  isHeld: 'The site was rolled back. Schedules are paused until you publish.',
  others: 'Other unpublished changes will stay off the site.',
  listed: 'These changes will stay off the site until you publish them:',
  review: 'Review all changes',
}

/** The time at which a page or its change goes live, beside the save buttons. */
export const scheduleBarTexts = {
  title: 'Schedule',
  at: 'Publish at',
  liveHint: 'Visitors will see the live page until then.',
  zone: (zone: string) => `Time zone: ${zone}`,
  set: 'Set schedule',
  saveHint:
    'Drafts stay private. Scheduled changes go live automatically; other changes wait for the next publish.',
  saveAt: (time: string) => `Schedule for ${time}`,
  missing: 'Enter a date and a time.',
  past: 'Enter a time in the future.',
}

/** The menu of a long form's sections. */
export const sectionMenuTexts = {
  label: 'Sections of this page',
  open: 'Jump to',
  pictures: 'Pictures',
}

/** Text that the browser keeps until it is saved. */
export const keptTexts = {
  found: (time: string) => `You have unsaved text from ${time}.`,
  foundOlder: (time: string) => `You have unsaved text from ${time}. The page has been saved since then.`,
  restore: (time: string) => `Restore text from ${time}`,
  discard: 'Discard',
}

/** Others who have the same editor open. */
export const colleagueTexts = {
  isEditing: (name: string, time: string) => `${name} has been editing this page since ${time}.`,
}

/** The help about keys. */
export const keyTexts = {
  title: 'Keyboard shortcuts',
  mac: 'On a Mac, press Cmd instead of Ctrl.',
  list: [
    { keys: ['Ctrl', 'S'], label: 'Save' },
    { keys: ['Ctrl', 'B'], label: 'Bold' },
    { keys: ['Ctrl', 'I'], label: 'Italic' },
    { keys: ['Ctrl', 'K'], label: 'Link' },
    { keys: ['Ctrl', 'Enter'], label: 'Show or hide preview' },
  ],
}

/** The preview below the form. */
export const previewTexts = {
  title: 'Preview',
  newTab: 'New tab',
  hint: 'Select “Preview” to see your unsaved changes. Only you can see the preview.',
  frame: 'Page preview',
  view: 'View',
  edit: 'Edit',
  split: 'Side by side',
  width: 'Screen size',
  phone: 'Mobile',
  desktop: 'Desktop',
  signedOut: 'You’re signed out. Open another tab to sign in, then continue here.',
  failed: 'The preview is unavailable. Your text is saved in this browser.',
  unknownType: 'This content type doesn’t exist.',
  incomplete: 'Enter a title and an address (or choose a service and a place), then preview again.',
}

/** Lists that are put in order. */
export const orderTexts = {
  placeOf: (name: string) => `Position of ${name}`,
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
}

/** The picker of the places of a service, which a script shows above its patterns. */
export const placePickerTexts = {
  search: 'Search places',
  advanced: 'Edit as text',
  patterns: 'Places, one per line',
  hint: 'Selecting a place includes all places in it, even ones added later.',
  count: (offered: number, all: number) => `Offered in ${offered} of ${all} places.`,
  missing: (names: readonly string[], more: number) =>
    `Not selected: ${names.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`,
  coverage: 'Open coverage',
  share: (offered: number, all: number) => `${offered} of ${all}`,
  open: (name: string) => `Show places in ${name}`,
  itself: (name: string) => `${name} itself`,
  nothingFound: 'No places found.',
  more: 'There are more results. Keep typing to narrow the list.',
  noPlaces: 'No places yet.',
  add: 'Add places',
}
