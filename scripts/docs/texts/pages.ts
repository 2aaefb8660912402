const GENERATED = 'This page is generated from the source by `npm run docs`.'

export const contentKeysTexts = {
  intro: `# Content keys

Every key of every content file, with its type, its default, and its meaning. ${GENERATED}
[Content files](../../content/README.md) explains them with examples.

A dot names a key inside, \`[]\` each item of a list. A key without a default may be left out.

Editors complete and check YAML files with the schemas in \`docs/schemas/\`. VS Code needs the YAML extension; this project’s settings
map the files of \`content/\`. For other folders and editors, start a file with the path of its schema:

\`\`\`yaml
# yaml-language-server: $schema=../../docs/schemas/form.schema.json
name: Request a quote
fields:
  - { name: email, type: email, label: Email address, required: true }
\`\`\``,
  operators: `## Conditions

\`fire_on\` is \`{ field, op, value }\`, where \`field\` is the name of a field or \`meta.<key>\`; \`{ all: [...] }\`, \`{ any: [...] }\`, or
\`{ not: ... }\` around others; or the short form \`{ role: owner, budget: [high, medium] }\`, where every key matches and a list means
any of its values. Text compares exactly.`,
  operator: 'operator',
  meta: `## \`meta\`

Templates and conditions know these keys. Those of the page, the service, and the place are \`null\` for a form that is elsewhere.`,
  key: 'key',
  type: 'type',
  default: 'default',
  meaning: 'meaning',
}

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
  boolean: '`true` or `false`',
  list: (items: string) => (items === 'keys' ? 'list' : `list of ${items}`),
  keys: 'keys',
  required: '**required**',
  oneOf: (count: number) => `one of ${count} values, listed below`,
  values: (key: string, values: string) => `Values of ${key}: ${values}.`,
  formats: {
    email: 'email address',
    date: 'date',
    'date-time': 'date and time',
    uri: 'web address',
  } as Readonly<Record<string, string>>,
}

export const configurationTexts = {
  intro: `# Configuration

Every environment variable. ${GENERATED}

Set variables in the environment, or write them to a \`.env\` file in the project’s folder; the environment wins. Nothing is
required to try Signpost. An invalid value stops the start, and the message says what is accepted.`,
  variable: 'variable',
  default: 'default',
  accepts: 'accepts',
  meaning: 'meaning',
  none: 'none',
}

export const commandsTexts = {
  intro: `# Commands

Every command, with its options. ${GENERATED}

Run commands from the project’s folder. Each one exits with 0 on success, with 1 and a message on failure, and with 2 if it was
called incorrectly. \`--help\` after \`--\` prints the usage: \`npm run build -- --help\`.`,
  option: 'option',
  meaning: 'meaning',
  astro: `## Astro

\`npx astro build\` builds the whole site of a migrated, synced database: see
[Publishing](../publishing.md#build-with-astro).

## Tools for tests

\`npm test\` needs only what \`npm ci\` installs, a Chromium included. Set \`TEST_DATABASE_URL\` to run the database tests on a
PostgreSQL server too, as \`.ci/run\` does. Other tests use \`strace\`, \`unshare\`, nginx, Python, PHP, Go, or Java (the W3C’s Nu
validator). The form journeys also run in Firefox and WebKitGTK (Safari’s engine), if Debian’s \`firefox-esr\`,
\`webkit2gtk-driver\`, and \`xvfb\` are installed. A test without its tool is skipped; with \`CI=true\` it fails.`,
}

export const httpTexts = {
  intro: `# HTTP interface

Every public address, with its answers. ${GENERATED} [Webhooks](../webhooks.md) describes the requests that Signpost sends.

Requests with an unknown host get 421, with an unknown method 405, and with an address over 2,048 characters 414. \`POST\` from another
site gets 403.`,
  address: 'address',
  page: 'page or file',
  otherAnswers: 'answers other than 200',
  status: 'status',
  when: 'when',
  metrics: `## Metrics

Counts start at 0 with each start of the program. Node’s own metrics of memory and the event loop come with them.`,
  metric: 'metric',
  type: 'type',
  meaning: 'meaning',
}
