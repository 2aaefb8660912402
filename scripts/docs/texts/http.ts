import type { Endpoint } from './endpoint.ts'
import { PAGES } from './http-pages.ts'
import { PREVIEWS } from './http-previews.ts'

const FORM_STATUSES = {
  404: 'The form is unknown or a draft.',
  410: 'The form is archived.',
}

const FORMS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/forms/{form}',
    does: 'Returns what a client needs to show an active form: never its webhooks or its notification address.',
    answers: {
      200: 'The definition.',
      ...FORM_STATUSES,
      405: 'Another method. `Allow` lists the accepted ones.',
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
    does: 'Returns an ALTCHA v1 challenge, valid for 30 minutes. Post its solution as `_altcha`.',
    answers: {
      200: 'The challenge.',
      404: 'No active form of this name uses `proof_of_work`.',
    },
  },
  {
    method: 'POST',
    path: '/api/forms/{form}/submissions',
    does: 'Stores a submission. Accepts `application/json`, `application/x-www-form-urlencoded`, and `multipart/form-data`, in UTF-8 and uncompressed.',
    answers: {
      201: 'Stored on disk, with its deliveries. A filled-in honeypot gets the same answer.',
      200: 'The `_id` was stored before. The answer is the first one.',
      303: 'Both of these for a browser: to the address that the form sets, or to its thank-you page.',
      400: 'The body cannot be read.',
      403: 'The post comes from another site that is not in `FORM_ORIGINS`.',
      ...FORM_STATUSES,
      405: 'Another method.',
      413: 'The body is too large: 64 KiB without files, 60 MiB with files, or 500 values.',
      415: 'The type of the body is not one of the three.',
      422: 'Answers are invalid. A browser gets the form again, with the messages at its fields.',
      429: 'Too many posts. `Retry-After` gives the seconds to wait.',
      503: 'The answers could not be stored. Post them again after `Retry-After`, with the same `_id`.',
    },
    example: `{
  "id": 7,
  "form": "contact",
  "status": "accepted",
  "success": { "heading": "Thank you", "body": "", "redirect_url": null }
}`,
  },
  {
    method: 'OPTIONS',
    path: '/api/forms/{form}/submissions',
    does: 'Answers the preflight of a page in `FORM_ORIGINS` (CORS). The definition and the challenge have one too.',
    answers: { 204: 'The origin is listed.', 405: 'The origin is not listed.' },
  },
]

const SERVER: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/health',
    does: 'Says within 2 seconds whether the server can do its work.',
    answers: {
      200: 'Posts can be stored, and a site is live.',
      503: 'One of the two is not so: `"status": "unavailable"`.',
    },
    example: `{ "status": "ok", "release": "20261123T081500-1", "schema": "0061" }`,
  },
  {
    method: 'POST',
    path: '/api/csp-reports',
    does: 'Takes browsers’ reports of Content Security Policy violations. The log gets each one once a day.',
    answers: {
      204: 'Noted.',
      400: 'The report cannot be read.',
      405: 'Another method.',
      413: 'The report is larger than 8 KiB.',
      429: 'More than 60 reports in a minute.',
    },
  },
  {
    method: 'GET',
    path: '/metrics',
    does: 'Prometheus metrics, on `http://127.0.0.1:$METRICS_PORT` only.',
    answers: {
      200: 'The metrics.',
      404: 'Another path.',
      405: 'Another method.',
      421: 'The host is not this machine.',
    },
  },
]

const ADMIN: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/admin/inbox/export.json',
    does: 'The leads of the inbox as a JSON array. The address takes the filters of the inbox.',
    answers: {
      200: 'The leads.',
      303: 'The password was not confirmed within 15 minutes, or a browser is not signed in.',
      401: 'A program is not signed in.',
    },
  },
  {
    method: 'GET',
    path: '/admin/inbox/export.csv',
    does: 'The same as CSV (UTF-8, commas). `separator=semicolon` is for Excel in many countries of Europe.',
    answers: {
      200: 'The leads.',
      303: 'The password was not confirmed within 15 minutes, or a browser is not signed in.',
      401: 'A program is not signed in.',
    },
  },
  {
    method: 'POST',
    path: '/admin/privacy/export',
    does: 'Everything stored about a person as a ZIP. The form fields are `email`, `phone`, and `text`; one is enough.',
    answers: {
      200: 'The ZIP.',
      303: 'No field was filled in, or the password was not confirmed within 15 minutes.',
      401: 'A program is not signed in.',
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

/** Every URL that programs may use, and the public pages. */
export const ENDPOINT_GROUPS: readonly EndpointGroup[] = [
  {
    title: 'Forms',
    intro: `Programs, which send JSON or accept JSON but not HTML, get JSON; problems are \`application/problem+json\` (RFC 9457) with
\`title\`, \`status\`, \`detail\`, and, for invalid answers, \`errors\`: a list of messages for each field. Browsers get pages and redirects.

JSON is one flat object; values are strings, numbers, booleans, or lists of strings. Unknown names are dropped. Names that start
with \`_\` control the form:

| name | value |
| --- | --- |
| \`_id\` | a UUID; the same one is stored once |
| \`_v\` | the \`version\` of the definition, so that answers are checked against the questions that were asked |
| \`_page\` | the path of the page with the form |
| \`_t\` | when the form was opened: milliseconds since 1970, or ISO 8601 |
| \`_open_ms\` | how long the form was open, in milliseconds |
| \`_source\` | the sources that the script of the pages collected, as JSON; ignored where it is invalid or lead sources are off |
| \`_altcha\` | the solution of the challenge |`,
    endpoints: FORMS,
  },
  {
    title: 'Pages and files',
    intro: 'Each page is a complete HTML file. `HEAD` works everywhere `GET` does.',
    endpoints: PAGES,
    isList: true,
  },
  {
    title: 'Preview links',
    intro:
      'Anyone with the link sees the next site. Only a hash of the token is stored. Search engines don’t list these pages.',
    endpoints: PREVIEWS,
  },
  { title: 'Health, reports, and metrics', endpoints: SERVER },
  { title: 'Exports', intro: 'Exports need the session of a signed-in administrator.', endpoints: ADMIN },
]
