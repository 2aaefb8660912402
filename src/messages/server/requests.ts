import { formatCount } from '../plural.ts'

/** Refused requests, answered in plain text. */
export const requestTexts = {
  hostMissing: 'Send exactly one Host header.',
  hostUnknown: (host: string) =>
    `This server does not serve the host “${host}”. Set SITE_URL to the address visitors use. If the address has a port, the proxy must forward it in the Host header.`,
  methodUnknown: 'Use GET, HEAD, or POST.',
  addressTooLong: 'The address is too long.',
  addressNotAPath: 'The address must be a path.',
  addressWithNul: 'The address contains a NUL character.',
  foreignOrigin: 'Posts from other websites are not accepted.',
  noPosts: 'This address does not accept POST requests.',
  expectation: 'The only supported expectation is 100-continue.',
  notFound: 'Not found',
  gone: 'Gone',
  notFoundHere: 'Not found.',
  signInFirst: 'Sign in first.',
  roleRefused: 'Your role does not allow this.',
  twoStepFirst: 'Set up two-step sign-in first.',
  onlyGet: 'Use GET or HEAD.',
  failed: (reference: string) =>
    `Something went wrong on our end. Please try again in a minute.\nReference: ${reference}`,
  databaseAway: (reference: string) =>
    `The database is unavailable. Please try again in a moment.\nReference: ${reference}`,
}

/** Refused posts to the admin, as their own page. */
export const adminPostTexts = {
  tooMuch: 'Too much data',
  fields: (max: number) => `${formatCount(max)} fields`,
  kilobytes: (max: number) => `${max} KB`,
  megabytes: (max: number) => `${max} MB`,
  limit: (limit: string) => `The limit is ${limit}. Go back, shorten your input, and submit it again.`,
}

/** Refused reports of the Content Security Policy. */
export const cspReportTexts = {
  tooMany: 'Too many reports. Try again in a minute.',
  wrongMethod: 'Send reports with POST.',
  tooLarge: (kilobytes: number) => `A report can be at most ${kilobytes} KB.`,
  unreadable: 'This is not a Content Security Policy report.',
}

/** The page that visitors see until there is a site. */
export const firstBuildPage = {
  title: 'Building the site',
  text: 'The first build takes up to a minute. This page refreshes every two seconds.',
}
