import type { Endpoint } from './endpoint.ts'

/** The public pages and files. */
export const PAGES: readonly Endpoint[] = [
  { method: 'GET', path: '/', does: 'The home page.', answers: { 200: 'Found.' } },
  {
    method: 'GET',
    path: '/services',
    does: 'All services and the places where they are offered.',
    answers: { 200: 'Found.' },
  },
  {
    method: 'GET',
    path: '/services/{service}',
    does: 'A service page, which lists the places where the service is offered.',
    answers: { 200: 'Found.' },
  },
  {
    method: 'GET',
    path: '/services/{service}/{location}',
    does: 'A local page, which is about one service in one place.',
    answers: { 200: 'Found.' },
  },
  {
    method: 'GET',
    path: '/services/in/{place}',
    does: 'All services in a place. This page exists only if there are too many places to list on `/services`.',
    answers: { 200: 'Found.', 404: '`/services` lists all places.' },
  },
  {
    method: 'GET',
    path: '/services/from/{place}',
    does: 'The part of the list of places that starts with this place. This page exists only if the list is too long for one page.',
    answers: { 200: 'Found.', 404: 'No part of the list starts with this place.' },
  },
  {
    method: 'GET',
    path: '/{path}',
    does: 'A page from `content/pages`, or the page of an entry in one of your own content types.',
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
    does: 'The entries with the term.',
    answers: { 200: 'Found.', 404: 'The taxonomy has no archive.' },
  },
  {
    method: 'GET',
    path: '/sitemap-index.xml',
    does: 'An index of the sitemaps.',
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
