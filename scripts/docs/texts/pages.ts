const GENERATED = '`npm run docs` generates this page from the source code.'

export const contentKeysTexts = {
  intro: `# Content keys

This page lists every key in every content file, with its type, default, and meaning. For examples, see
[content files](../../content/README.md). ${GENERATED}

A dot marks a nested key, and \`[]\` marks each item of a list. Keys that are not marked as required are optional.

Code editors can complete and validate YAML files with the schemas in \`docs/schemas/\`. In VS Code, install the YAML extension. The
project’s settings already assign the schemas to the files in \`content/\`. In other editors or folders, start each file with the path
of its schema:

\`\`\`yaml
# yaml-language-server: $schema=../../docs/schemas/form.schema.json
name: Request a quote
fields:
  - { name: email, type: email, label: Email address, required: true }
\`\`\``,
  operators: `## Conditions

\`fire_on\` and \`when\` accept a condition in one of these forms:

- \`{ field, op, value }\`, where \`field\` is a field name or \`meta.<key>\`.
- \`{ all: [...] }\`, \`{ any: [...] }\`, or \`{ not: ... }\`, to combine or negate other conditions.
- The short form \`{ role: owner, budget: [high, medium] }\`. Every key must match. A list matches any of its values.

Text comparisons are exact.`,
  operator: 'operator',
  meta: `## \`meta\`

You can use these keys in templates and conditions. If a form is not on one of your site’s pages, the keys for the page, service, and
place are \`null\`.`,
  key: 'key',
  type: 'type',
  default: 'default',
  meaning: 'meaning',
}

const PLURALS: Readonly<Record<string, string>> = { object: 'objects', 'email address': 'email addresses' }

/** Types and bounds of keys. */
export const schemaTexts = {
  anything: 'any JSON',
  condition: 'a condition',
  text: (max: number | undefined) =>
    max === undefined ? 'text' : `text, at most ${max.toLocaleString('en-US')} characters`,
  number: ({ isWhole, min, max }: { isWhole: boolean; min: number | undefined; max: number | undefined }) => {
    const kind = isWhole ? 'whole number' : 'number'
    if (min === undefined) return kind
    return max === undefined ? `${kind}, at least ${min}` : `${kind}, ${min} to ${max}`
  },
  boolean: ['`true`', '`false`'],
  list: (items: string) => `list of ${PLURALS[items] ?? items}`,
  keys: 'object',
  required: '**required**',
  oneOf: (count: number) => `one of ${count} values, listed below`,
  values: (key: string, values: string) => `Values of ${key}: ${values}.`,
  formats: {
    email: 'email address',
    date: 'date',
    'date-time': 'date and time',
    uri: 'URL',
  } as Readonly<Record<string, string>>,
}

export const configurationTexts = {
  intro: `# Configuration

This page lists every environment variable. ${GENERATED}

Set variables in the environment or in a \`.env\` file in the project folder. The environment takes precedence. You can try Signpost
without setting any variables. If a value is invalid, Signpost doesn’t start, and the error message lists the accepted values.`,
  variable: 'variable',
  default: 'default',
  accepts: 'accepted values',
  meaning: 'meaning',
  none: 'none',
}

export const commandsTexts = {
  intro: `# Commands

This page lists every command and its options. ${GENERATED}

Run commands from the project folder. A command exits with 0 on success, with 1 and an error message on failure, and with 2 if the
arguments are invalid. To print a command’s usage, add \`-- --help\`, as in \`npm run build -- --help\`.`,
  option: 'option',
  meaning: 'meaning',
  astro: `## Astro

After the database has been migrated and synced, \`npx astro build\` builds the whole site. See
[Publishing](../publishing.md#build-with-astro).

## Test tools

\`npm test\` requires only the packages that \`npm ci\` installs, including Chromium. To run the database tests on a PostgreSQL server
too, set \`TEST_DATABASE_URL\`, as \`.ci/run\` does. Other tests use \`strace\`, \`unshare\`, nginx, Python, PHP, Go, or Java (for the
W3C’s Nu validator). If you install Debian’s \`firefox-esr\`, \`webkit2gtk-driver\`, and \`xvfb\`, the form tests also run in Firefox and
WebKitGTK (Safari’s engine). If a tool is missing, its tests are skipped. With \`CI=true\`, those tests fail instead.`,
}

export const httpTexts = {
  intro: `# HTTP interface

This page lists every public URL and its responses. For the requests that Signpost sends, see [webhooks](../webhooks.md).
${GENERATED}

Any URL can return these errors:

- 403 for a \`POST\` request from another site.
- 405 for an unsupported method.
- 414 for a URL longer than 2,048 characters.
- 421 for an unknown host.`,
  address: 'URL',
  page: 'page or file',
  otherAnswers: 'responses other than 200',
  status: 'status',
  when: 'when',
  metrics: `## Metrics

Counters reset to 0 each time the server starts. The endpoint also returns Node’s own metrics for memory and the event loop.`,
  metric: 'metric',
  type: 'type',
  meaning: 'meaning',
}
