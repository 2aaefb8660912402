/** Copies of the site outside, on the Publish screen. */
export const outletTexts = {
  pending: 'The new site is on its way to the static host.',
  live: 'The site is live on this server.',
  nextTry: 'Next try:',
}
