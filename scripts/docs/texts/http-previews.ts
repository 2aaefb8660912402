import type { Endpoint } from './endpoint.ts'

const GONE = 'The link is unknown, revoked, or expired'

/** The URLs of preview links. */
export const PREVIEWS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/previews/{token}',
    does: 'Shows the pages that the next publish changes, with a form to approve them or request changes. The link works for 7 days, without an account.',
    answers: { 200: 'The preview, or a notice that the preview is still being generated.', 404: `${GONE}.` },
  },
  {
    method: 'GET',
    path: '/api/previews/{token}/compare?page={path}',
    does: 'Shows the live page and the next version side by side.',
    answers: { 200: 'Found.', 404: `${GONE}, or the page does not change.` },
  },
  {
    method: 'GET',
    path: '/api/previews/{token}/new/{path}',
    does: 'Returns a page or file from the next version of the site. To get the live version, replace `new` with `old`.',
    answers: { 200: 'Found.', 404: `${GONE}, or the page does not exist.` },
  },
  {
    method: 'GET',
    path: '/api/previews/{token}/pictures/{hash}',
    does: 'Returns a small version of a picture that the list of changes shows, as WebP.',
    answers: { 200: 'Found.', 404: `${GONE}, or the changes show no such picture.` },
  },
  {
    method: 'POST',
    path: '/api/previews/{token}',
    does: 'Approves the pages (only once), or requests changes with `answer=changes`. `name` is required. For changes, `note` is required too.',
    answers: {
      303: 'The answer was stored. The preview page confirms this.',
      404: `${GONE}.`,
      422: 'The name or note is missing.',
    },
  },
]
