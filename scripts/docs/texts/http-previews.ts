import type { Endpoint } from './endpoint.ts'

const GONE = 'The link is unknown, was ended, or has expired.'

/** The addresses of preview links. */
export const PREVIEWS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/previews/{token}',
    does: 'The pages that the next publish changes, and a form to approve them or request changes. Works for 7 days, without an account.',
    answers: { 200: 'Found, or the pages are still being made.', 404: GONE },
  },
  {
    method: 'GET',
    path: '/api/previews/{token}/compare?page={path}',
    does: 'The live and the next version of a page, side by side.',
    answers: { 200: 'Found.', 404: `${GONE} Or the page does not change.` },
  },
  {
    method: 'GET',
    path: '/api/previews/{token}/new/{path}',
    does: 'A page or file of the next site; `old` in place of `new` is the live site.',
    answers: { 200: 'Found.', 404: `${GONE} Or there is no such page.` },
  },
  {
    method: 'POST',
    path: '/api/previews/{token}',
    does: 'Approves the pages, once, or requests changes (`answer=changes`). `name` is required, and so is `note` with changes.',
    answers: { 303: 'Stored. The page says so.', 404: GONE, 422: 'The name or note is missing.' },
  },
]
