/** Copies of the site outside, on the Publish screen. */
export const outletTexts = {
  pending: 'The new version is being copied to the static host.',
  live: 'The site is live on this server.',
  nextTry: 'Next attempt:',
}
