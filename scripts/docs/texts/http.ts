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
    does: 'Returns the definition of an active form, including its fields but not its webhooks or notification addresses.',
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
      404: 'The form does not exist, is not active, or does not use `proof_of_work`.',
    },
  },
  {
    method: 'POST',
    path: '/api/forms/{form}/submissions',
    does: 'Stores a submission. Accepts `application/json`, `application/x-www-form-urlencoded`, and `multipart/form-data`. The body must be in UTF-8 and uncompressed.',
    answers: {
      201: 'The submission and its webhook deliveries are stored on disk. Spam gets the same response.',
      200: 'A submission with this `_id` was already stored. The response is the same as for the first request.',
      303: 'Instead of 200 or 201, browsers get a redirect to the form’s `redirect_url` or to the thank-you page.',
      400: 'The body can’t be parsed.',
      403: 'The request comes from another site, and `FORM_ORIGINS` does not list its origin.',
      ...FORM_STATUSES,
      405: 'The method is not allowed.',
      413: 'The body is too large: more than 500 values, more than 20 files, more than 64 KiB without files, or more than 60 MiB with files.',
      415: 'The content type is not supported.',
      422: 'Some answers are invalid. Browsers get the form again, with error messages next to the fields.',
      429: 'The client sent too many submissions. `Retry-After` is the number of seconds to wait.',
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
    does: 'Counts a tap on a phone number or, on a static host, a page view. A script on each page sends this request and ignores the response.',
    answers: { 204: 'Always, even if nothing was counted.' },
  },
  {
    method: 'OPTIONS',
    path: '/api/forms/{form}/submissions',
    does: 'Answers CORS preflight requests from the origins in `FORM_ORIGINS`. `OPTIONS` also works for a form’s definition and challenge.',
    answers: { 204: '`FORM_ORIGINS` lists the origin.', 405: '`FORM_ORIGINS` does not list the origin.' },
  },
]

const SERVER: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/health',
    does: 'Reports within 2 seconds whether the server is healthy.',
    answers: {
      200: 'The server can store submissions, and a site is live.',
      503: 'The server can’t store submissions, or no site is live. `status` is `unavailable`.',
    },
    example: `{ "status": "ok", "release": "20261129T211347542Z", "schema": "0392_removed_pages" }`,
  },
  {
    method: 'POST',
    path: '/api/csp-reports',
    does: 'Receives browsers’ reports of Content Security Policy violations. Each violation is logged at most once a day.',
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
    does: 'Returns [metrics](#metrics) for Prometheus. Available only on `http://127.0.0.1:$METRICS_PORT`.',
    answers: {
      200: 'The metrics.',
      404: 'The path is not `/metrics`.',
      405: 'The method is not allowed.',
      421: 'The `Host` header is neither `localhost` nor an IP address.',
    },
  },
]

const ADMIN: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/admin/inbox/export.json',
    does: 'Returns the leads in the inbox as a JSON array. The URL accepts the same filters as the inbox.',
    answers: {
      200: 'The leads.',
      303: 'The browser is not signed in, or the password was not confirmed within the last 15 minutes.',
      401: 'An API client is not signed in.',
      403: 'The user is neither an owner nor a manager.',
    },
  },
  {
    method: 'GET',
    path: '/admin/inbox/export.csv',
    does: 'Returns the leads in the inbox as CSV in UTF-8, with commas as separators. The URL accepts the same filters as the inbox. For Excel in many European countries, add `separator=semicolon`.',
    answers: {
      200: 'The leads.',
      303: 'The browser is not signed in, or the password was not confirmed within the last 15 minutes.',
      401: 'An API client is not signed in.',
      403: 'The user is neither an owner nor a manager.',
    },
  },
  {
    method: 'POST',
    path: '/admin/privacy/export',
    does: 'Returns everything stored about a person as a ZIP file. Send at least one of the form fields `email`, `phone`, and `text`.',
    answers: {
      200: 'The ZIP file.',
      303: 'No field was filled in. API clients also get this response if the password was not confirmed within the last 15 minutes.',
      401: 'The client is not signed in, or the password was not confirmed within the last 15 minutes. Browsers get a page on which to sign in or confirm the password, and then send the form again.',
      403: 'The user is neither an owner nor a manager without limits.',
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
    intro: `Browsers get pages and redirects. Clients that send JSON, or that accept JSON but not HTML, get JSON. For these clients, an error
response is \`application/problem+json\` (RFC 9457) with \`title\`, \`status\`, and usually \`detail\`. If answers are invalid, \`errors\`
contains the error messages for each field.

Send JSON as one flat object whose values are strings, numbers, booleans, or lists of strings. Unknown names are ignored. The following
names have special meanings:

| name | value |
| --- | --- |
| \`_id\` | a UUID; a submission with the same UUID is stored only once |
| \`_v\` | the \`version\` of the definition that you used; the answers are validated against this version of the questions |
| \`_page\` | the path of the page with the form |
| \`_t\` | when the form was opened, as a Unix timestamp in milliseconds or an ISO 8601 time |
| \`_open_ms\` | how long the form was open, in milliseconds |
| \`_source\` | the visitor’s [source](../measuring.md#lead-sources), as JSON; ignored if invalid or if lead sources are turned off |
| \`_altcha\` | the solution to the challenge, if the form uses \`proof_of_work\` |`,
    endpoints: FORMS,
  },
  {
    title: 'Pages and files',
    intro: 'Each page is a complete HTML file. `HEAD` works for every URL that accepts `GET`.',
    endpoints: PAGES,
    isList: true,
  },
  {
    title: 'Preview links',
    intro:
      'Anyone with a preview link can see its unpublished changes. Signpost stores only a hash of the token, and asks search engines not to list previews.',
    endpoints: PREVIEWS,
  },
  { title: 'Health, reports, and metrics', endpoints: SERVER },
  {
    title: 'Exports',
    intro: 'Only signed-in owners and managers can export data.',
    endpoints: ADMIN,
  },
]
