import type { Endpoint } from './endpoint.ts'

const GONE = 'The link is unknown, revoked, or expired'

/** The URLs of preview links. */
export const PREVIEWS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/previews/{token}',
    does: 'Shows the pages that the unpublished edits affect, and a form for approving these pages or requesting changes. The link works for 7 days and doesn’t require an account.',
    answers: { 200: 'The preview, or a notice that the preview is still being generated.', 404: `${GONE}.` },
  },
  {
    method: 'GET',
    path: '/api/previews/{token}/compare?page={path}',
    does: 'Shows the live and new versions of a page side by side.',
    answers: { 200: 'Both versions.', 404: `${GONE}, or the changes do not affect this page.` },
  },
  {
    method: 'GET',
    path: '/api/previews/{token}/new/{path}',
    does: 'Returns the new version of a page or file. To get the live version, replace `new` with `old`.',
    answers: { 200: 'The page or file.', 404: `${GONE}, or the page does not exist.` },
  },
  {
    method: 'GET',
    path: '/api/previews/{token}/pictures/{hash}',
    does: 'Returns a small WebP version of a picture in the list of changes.',
    answers: { 200: 'The picture.', 404: `${GONE}, or the picture is not in the list.` },
  },
  {
    method: 'POST',
    path: '/api/previews/{token}',
    does: 'Approves the pages or, with `answer=changes`, requests changes. `name` is always required, and `note` is required to request changes.',
    answers: {
      303: 'Redirects to the preview. After an approval or 20 responses, further responses are not stored.',
      404: `${GONE}.`,
      422: '`name` is missing or longer than 80 characters, or `note` is missing or longer than 500 characters.',
    },
  },
]
