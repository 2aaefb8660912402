import type { Endpoint } from './endpoint.ts'

/** The public pages and files. */
export const PAGES: readonly Endpoint[] = [
  { method: 'GET', path: '/', does: 'The home page.', answers: { 200: 'Found.' } },
  { method: 'GET', path: '/services', does: 'All services.', answers: { 200: 'Found.' } },
  {
    method: 'GET',
    path: '/services/{service}',
    does: 'A service page, which lists the places where the service is offered.',
    answers: { 200: 'Found.' },
  },
  {
    method: 'GET',
    path: '/services/{service}/{location}',
    does: 'A local page: a service in a place.',
    answers: { 200: 'Found.' },
  },
  {
    method: 'GET',
    path: '/services/in/{place}',
    does: 'All services in a place. Used only if the list of places doesn’t fit on one page.',
    answers: { 200: 'Found.', 404: 'The list of places fits on one page.' },
  },
  {
    method: 'GET',
    path: '/services/from/{place}',
    does: 'The list of places, starting with this one. Used only if the list doesn’t fit on one page.',
    answers: { 200: 'Found.', 404: 'The list of places fits on one page.' },
  },
  {
    method: 'GET',
    path: '/{path}',
    does: 'A page, or an entry of your own content type.',
    answers: {
      200: 'Found.',
      301: 'The URL ends in a slash or `.html`, or the page has moved.',
      404: 'The page does not exist.',
      410: 'The page was removed.',
    },
  },
  { method: 'GET', path: '/forms/{form}', does: 'A form.', answers: { 200: 'Found.' } },
  {
    method: 'GET',
    path: '/forms/{form}/thanks',
    does: 'The form’s thank-you page.',
    answers: { 200: 'Found.' },
  },
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
    does: 'All entries with the term.',
    answers: { 200: 'Found.', 404: 'The taxonomy has no archive.' },
  },
  {
    method: 'GET',
    path: '/sitemap-index.xml',
    does: 'An index of the sitemaps. Each sitemap lists about 10,000 URLs.',
    answers: { 200: 'Found.' },
  },
  { method: 'GET', path: '/robots.txt', does: 'Rules for crawlers.', answers: { 200: 'Found.' } },
  {
    method: 'GET',
    path: '/llms.txt',
    does: 'An overview of the site for language models.',
    answers: { 200: 'Found.' },
  },
  {
    method: 'GET',
    path: '/.well-known/security.txt',
    does: 'The contact for vulnerability reports, if `SECURITY_CONTACT` is set.',
    answers: { 200: 'Found.' },
  },
]
