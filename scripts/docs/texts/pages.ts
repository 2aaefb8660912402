const GENERATED = '`npm run docs` generates this page from the source code.'

export const contentKeysTexts = {
  intro: `# Content keys

This page lists the keys of every kind of content file. For examples, see [content files](../../content/README.md).
${GENERATED}

A dot separates a nested key from its parent key, and \`[]\` marks each item in a list. Every key is optional unless it is
marked as required.

Code editors can use the schemas in \`docs/schemas/\` to complete keys and check values as you type. In VS Code, install the YAML
extension. The project’s settings already assign a schema to each YAML file in \`content/\`. In another editor or folder, start
each file with a comment that contains the path to its schema:

\`\`\`yaml
# yaml-language-server: $schema=../../docs/schemas/form.schema.json
name: Request a quote
fields:
  - { name: email, type: email, label: Email address, required: true }
\`\`\``,
  operators: `## Conditions

The keys \`fire_on\` and \`when\` each contain a condition. You can write a condition in three ways:

- \`{ field, op, value }\` checks one answer. \`field\` is the name of a form field, or \`meta.\` followed by a [\`meta\` key](#meta). \`op\`
  is an operator from the table below.
- \`{ all: [...] }\` and \`{ any: [...] }\` combine conditions, and \`{ not: ... }\` negates one.
- \`{ role: owner, budget: [high, medium] }\` is a shorthand. Every answer must equal the given value, or one of the
  values in a list.

Text comparisons are case-sensitive. Later dates are greater than earlier ones.`,
  operator: 'operator',
  meta: `## \`meta\`

You can use these keys in templates, such as \`{{meta.service_name}}\`, and in conditions, such as \`meta.service_name\`. For a
form on another website, the keys for the page, service, and place are \`null\`.`,
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

Set variables in the environment or in a \`.env\` file in the project folder. The environment takes precedence. The server reads
variables only when it starts, so restart it after a change. Spaces around a value are ignored. To try Signpost, you don’t need
to set any variables. If a value is invalid, Signpost doesn’t start, and the error message lists the accepted values.`,
  variable: 'variable',
  default: 'default',
  accepts: 'accepted values',
  meaning: 'meaning',
  none: 'none',
}

export const commandsTexts = {
  intro: `# Commands

This page lists every command and its options. ${GENERATED}

Run commands from the project folder. A command exits with 0 on success, with 1 and an error message on failure, and with 2 if its
arguments are invalid. To print a command’s usage, add \`-- --help\`, as in \`npm run build -- --help\`.`,
  option: 'option',
  meaning: 'meaning',
  astro: `## Astro

You can also build the whole site with \`npx astro build\`. First, migrate and sync the database. See
[Publishing](../publishing.md#build-with-astro).

## Test tools

Most tests need only the packages that \`npm ci\` installs, including Chromium. Some tests need other tools:

- To also run the database tests on PostgreSQL, set \`TEST_DATABASE_URL\` to the URL of a PostgreSQL server, as \`.ci/run\` does.
- To also run the form tests in Firefox and WebKitGTK (Safari’s engine), install the Debian packages \`firefox-esr\`,
  \`webkit2gtk-driver\`, and \`xvfb\`.
- Other tests use \`strace\`, \`unshare\`, nginx, Python, PHP, Go, or Java (for the W3C’s Nu validator).

\`npm test\` skips tests whose tools are missing. With \`CI=true\`, these tests fail instead.`,
}

export const httpTexts = {
  intro: `# HTTP interface

This page lists every public URL, the URLs for exports, and their responses. For the requests that Signpost sends, see
[Webhooks](../webhooks.md). ${GENERATED}

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

\`GET /metrics\` returns the metrics below, along with Node’s own metrics for memory and the event loop. Counters start at 0 each
time the server starts.`,
  metric: 'metric',
  type: 'type',
  meaning: 'meaning',
}
