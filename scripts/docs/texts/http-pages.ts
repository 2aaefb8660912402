import type { Endpoint } from './endpoint.ts'

/** The public pages and files. */
export const PAGES: readonly Endpoint[] = [
  { method: 'GET', path: '/', does: 'The home page.', answers: { 200: 'Found.' } },
  { method: 'GET', path: '/services', does: 'All services.', answers: { 200: 'Found.' } },
  {
    method: 'GET',
    path: '/services/{service}',
    does: 'A service and its places.',
    answers: { 200: 'Found.' },
  },
  {
    method: 'GET',
    path: '/services/{service}/{location}',
    does: 'A service in a place.',
    answers: { 200: 'Found.' },
  },
  {
    method: 'GET',
    path: '/services/in/{place}',
    does: 'All services in a place, if there are more places than fit on one page.',
    answers: { 200: 'Found.', 404: 'The places fit on one page.' },
  },
  {
    method: 'GET',
    path: '/services/from/{place}',
    does: 'The list of places from this one on, if there are more than fit on one page.',
    answers: { 200: 'Found.', 404: 'The places fit on one page.' },
  },
  {
    method: 'GET',
    path: '/{path}',
    does: 'A page, or an entry of a content type of your own.',
    answers: {
      200: 'Found.',
      301: 'The address has a trailing slash or `.html`, or the page has moved.',
      404: 'There is no such page.',
      410: 'The page was removed.',
    },
  },
  { method: 'GET', path: '/forms/{form}', does: 'A form.', answers: { 200: 'Found.' } },
  { method: 'GET', path: '/forms/{form}/thanks', does: 'Its thank-you page.', answers: { 200: 'Found.' } },
  {
    method: 'GET',
    path: '/forms/{form}/embed.js',
    does: 'The script that shows the form on another website.',
    answers: { 200: 'Found.' },
  },
  {
    method: 'GET',
    path: '/taxonomy/{taxonomy}',
    does: 'The terms of a taxonomy with `archive: true`.',
    answers: { 200: 'Found.', 404: 'The taxonomy has no archive.' },
  },
  {
    method: 'GET',
    path: '/taxonomy/{taxonomy}/{term}',
    does: 'What a term classifies.',
    answers: { 200: 'Found.', 404: 'The taxonomy has no archive.' },
  },
  {
    method: 'GET',
    path: '/sitemap-index.xml',
    does: 'The sitemaps, each with up to 50,000 addresses.',
    answers: { 200: 'Found.' },
  },
  { method: 'GET', path: '/robots.txt', does: 'Rules for crawlers.', answers: { 200: 'Found.' } },
  { method: 'GET', path: '/llms.txt', does: 'The site for language models.', answers: { 200: 'Found.' } },
  {
    method: 'GET',
    path: '/.well-known/security.txt',
    does: 'Where to report a weakness, if `SECURITY_CONTACT` is set.',
    answers: { 200: 'Found.' },
  },
]
