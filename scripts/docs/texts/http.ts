import type { Endpoint } from './endpoint.ts'
import { PAGES } from './http-pages.ts'
import { PREVIEWS } from './http-previews.ts'

const FORM_STATUSES = {
  404: 'The form does not exist or is a draft.',
  410: 'The form is archived.',
}

const FORMS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/forms/{form}',
    does: 'Returns the definition of an active form. Webhooks and notification addresses are never included.',
    answers: {
      200: 'The definition.',
      ...FORM_STATUSES,
      405: 'The method is not allowed. `Allow` lists the accepted methods.',
    },
    example: `{
  "slug": "contact",
  "name": "Contact",
  "description": null,
  "version": 1,
  "fields": [
    {
      "name": "email",
      "type": "email",
      "label": "Email",
      "placeholder": null,
      "required": true,
      "options": [],
      "validation": {},
      "default_value": null,
      "help_text": null
    }
  ]
}`,
  },
  {
    method: 'GET',
    path: '/api/forms/{form}/challenge',
    does: 'Returns an ALTCHA v1 challenge, which is valid for 30 minutes. Post the solution as `_altcha`.',
    answers: {
      200: 'The challenge.',
      404: 'No active form with this name uses `proof_of_work`.',
    },
  },
  {
    method: 'POST',
    path: '/api/forms/{form}/submissions',
    does: 'Stores a submission. Accepts `application/json`, `application/x-www-form-urlencoded`, and `multipart/form-data`, in UTF-8 and uncompressed.',
    answers: {
      201: 'The submission and its deliveries are stored on disk. A submission that fills in the honeypot gets the same response.',
      200: 'A submission with this `_id` was already stored. The response is the same as the first one.',
      303: 'Sent to browsers instead of 200 and 201. Redirects to the URL set in the form, or to the thank-you page.',
      400: 'The body can’t be parsed.',
      403: 'The post comes from another site whose origin is not in `FORM_ORIGINS`.',
      ...FORM_STATUSES,
      405: 'The method is not allowed.',
      413: 'The body is too large. The limits are 500 values, 64 KiB without files, and 60 MiB with files.',
      415: 'The content type is not supported.',
      422: 'Some answers are invalid. Browsers get the form again, with error messages beside the fields.',
      429: 'Too many posts were sent. `Retry-After` gives the number of seconds to wait.',
      503: 'The submission could not be stored. Wait for the number of seconds in `Retry-After`, then retry with the same `_id`.',
    },
    example: `{
  "id": 7,
  "form": "contact",
  "status": "accepted",
  "success": { "heading": "Thank you", "body": "", "redirect_url": null }
}`,
  },
  {
    method: 'POST',
    path: '/api/visits',
    does: 'Counts a phone tap, or a page view on a static host. Pages send this request and ignore the response.',
    answers: { 204: 'Always, even if nothing was counted.' },
  },
  {
    method: 'OPTIONS',
    path: '/api/forms/{form}/submissions',
    does: 'Handles CORS preflight requests from the origins in `FORM_ORIGINS`. The definition and challenge endpoints accept preflight requests too.',
    answers: { 204: 'The origin is listed.', 405: 'The origin is not listed.' },
  },
]

const SERVER: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/health',
    does: 'Reports within 2 seconds whether the server is healthy.',
    answers: {
      200: 'Posts can be stored, and a site is live.',
      503: 'Posts can’t be stored, or no site is live: `"status": "unavailable"`.',
    },
    example: `{ "status": "ok", "release": "20261123T081500-1", "schema": "0061" }`,
  },
  {
    method: 'POST',
    path: '/api/csp-reports',
    does: 'Receives Content Security Policy violation reports from browsers. Each violation is logged once a day.',
    answers: {
      204: 'The report was accepted.',
      400: 'The report can’t be parsed.',
      405: 'The method is not allowed.',
      413: 'The report is larger than 8 KiB.',
      429: 'More than 60 reports arrived within a minute.',
    },
  },
  {
    method: 'GET',
    path: '/metrics',
    does: 'Returns Prometheus metrics, only on `http://127.0.0.1:$METRICS_PORT`.',
    answers: {
      200: 'The metrics.',
      404: 'The path is not `/metrics`.',
      405: 'The method is not allowed.',
      421: 'The `Host` header is for another machine.',
    },
  },
]

const ADMIN: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/admin/inbox/export.json',
    does: 'Returns the inbox’s leads as a JSON array. The URL accepts the same filters as the inbox.',
    answers: {
      200: 'The leads.',
      303: 'The browser is not signed in, or the password was not confirmed within the last 15 minutes.',
      401: 'An API client is not signed in.',
    },
  },
  {
    method: 'GET',
    path: '/admin/inbox/export.csv',
    does: 'Returns the same leads as comma-separated CSV in UTF-8. For Excel in many European countries, add `separator=semicolon`.',
    answers: {
      200: 'The leads.',
      303: 'The browser is not signed in, or the password was not confirmed within the last 15 minutes.',
      401: 'An API client is not signed in.',
    },
  },
  {
    method: 'POST',
    path: '/admin/privacy/export',
    does: 'Returns everything stored about a person as a ZIP file. Send at least one of the form fields `email`, `phone`, and `text`.',
    answers: {
      200: 'The ZIP file.',
      303: 'No field was filled in, or the password was not confirmed within the last 15 minutes.',
      401: 'An API client is not signed in.',
    },
  },
]

export interface EndpointGroup {
  title: string
  intro?: string
  endpoints: readonly Endpoint[]
  /** Shown as one table; a 200 needs no explanation. */
  isList?: true
}

/** Every URL for API clients, and the public pages. */
export const ENDPOINT_GROUPS: readonly EndpointGroup[] = [
  {
    title: 'Forms',
    intro: `Browsers get pages and redirects. Clients that send JSON, or that accept JSON but not HTML, get JSON. Errors are returned as
\`application/problem+json\` (RFC 9457) with \`title\`, \`status\`, and \`detail\`. For invalid answers, \`errors\` also lists the messages for
each field.

Send JSON as one flat object whose values are strings, numbers, booleans, or lists of strings. Unknown names are ignored. Names that
start with \`_\` control the form:

| name | value |
| --- | --- |
| \`_id\` | a UUID; a submission with the same UUID is stored only once |
| \`_v\` | the definition’s \`version\`, so that the answers are validated against the same questions |
| \`_page\` | the path of the page with the form |
| \`_t\` | when the form was opened, as a Unix timestamp in milliseconds or in ISO 8601 format |
| \`_open_ms\` | how long the form was open, in milliseconds |
| \`_source\` | the sources collected by the page’s script, as JSON; ignored if invalid or if lead sources are turned off |
| \`_altcha\` | the solution to the challenge |`,
    endpoints: FORMS,
  },
  {
    title: 'Pages and files',
    intro: 'Each page is a complete HTML file. `HEAD` works wherever `GET` does.',
    endpoints: PAGES,
    isList: true,
  },
  {
    title: 'Preview links',
    intro:
      'Anyone with the link can see the next version of the site. Only a hash of the token is stored. Search engines don’t list these pages.',
    endpoints: PREVIEWS,
  },
  { title: 'Health, reports, and metrics', endpoints: SERVER },
  {
    title: 'Exports',
    intro: 'Exports require a signed-in owner or manager.',
    endpoints: ADMIN,
  },
]
