import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readTexts } from '#scripts/words/read-texts.ts'

const PROJECT = join(import.meta.dirname, '../../..')
const COMMANDS = 'scripts/{*,supply-chain/*,webhooks/*,words/*}.ts'

/** Files with their own sentences, and why. */
const OWN: Record<string, string> = {
  'src/forms/field-types/': 'a new type is one file, with its labels; `npm run words` prints them too',
  'src/environment': 'a variable is one line, with what it may be; `npm run words` prints them too',
  'src/components/structured-data/': 'names of schema.org, and a broken graph, which is a bug',
  'src/admin/kit/page-context.ts': 'a bug',
  'src/content-files/conflicts/settle-conflict.ts': 'a bug',
  'src/content-files/syncing/apply-changes.ts': 'a bug',
  'src/content-files/syncing/apply-entries.ts': 'a bug',
  'src/content-files/syncing/sync-content.ts': 'a bug, or thrown only to undo the transaction',
  'src/db/secret-key-store.ts': 'encrypted, to check the key',
  'src/entries/addresses/check-address.ts': 'thrown only to undo the transaction',
  'src/entries/editing/save-entry.ts': 'a bug',
  'src/entries/offers/change-offers.ts': 'a bug',
  'src/entries/types/builtin/location-services.ts': 'a bug',
  'src/entries/types/save-content-type.ts': 'a bug',
  'src/forms/edit-form.ts': 'a bug',
  'src/forms/form-store.ts': 'a bug',
  'src/lib/background/asked-thread.ts': 'a bug',
  'src/lib/key-ring.ts': 'a bug',
  'src/lib/secret-box.ts': 'a bug',
  'src/middleware.ts': 'a bug',
  'src/publish/render/share-process.ts': 'a bug',
  'src/secret-keys/reseal-secrets.ts': 'a bug',
  'src/server/bundle-entry.ts': 'a bug',
  'src/server/forms/layout-finder.ts': 'a bug',
  'src/server/prerender/static-site.ts': 'a bug',
  'src/site/well-known/security-text.ts': 'a format for machines (RFC 9116)',
  'src/site/settings/save-form-settings.ts': 'a bug',
  'src/site/content/site-content.ts': 'a bug',
  'src/site/theme/font-pairs.ts': 'names of fonts',
  'src/submissions/limits/proof-of-work.ts': 'the name of a derived key',
  'src/webhooks/sending/send-attempt.ts': 'why a connection is closed, for the code alone',
  'src/submissions/intake/commit-submissions.ts': 'a bug',
  'src/submissions/intake/group-commit.ts': 'a bug',
}

const filesOf = (pattern: string) => globSync(pattern, { cwd: PROJECT })
const sourceOf = (file: string) => readFileSync(join(PROJECT, file), 'utf8')
const isElsewhere = (file: string) => !file.startsWith('src/messages/')
const codeOf = filesOf('src/**/*.ts').filter(isElsewhere)
const templatesOf = filesOf('src/**/*.astro')

test('code and commands contain no sentences', () => {
  const found = [...codeOf, ...filesOf(COMMANDS)].flatMap((file) =>
    sentencesOf(sourceOf(file)).map((text) => `${file}: ${text}`),
  )
  const own = Object.keys(OWN)
  assert.deepEqual(
    found.filter((place) => !own.some((start) => place.startsWith(start))),
    [],
  )
  assert.deepEqual(
    own.filter((start) => !found.some((place) => place.startsWith(start))),
    [],
    'no longer needed',
  )
})

test('templates contain no text', () => {
  assert.ok(templatesOf.length > 100)
  const found = templatesOf.flatMap((file) =>
    textsOfTemplate(sourceOf(file)).map((text) => `${file}: ${text}`),
  )
  assert.deepEqual(found, [])
})

test('text in a template is found anywhere', () => {
  const template = `---
const title = 'Two words'
const word = 'Settings'
const code = 'new'
---
<Page {title} lead="New leads" class="btn btn-sm">
  <p aria-label={open ? 'is open now' : 'closed'}>{count} of all</p>
  <a href="/admin/inbox">
    Read {name}
  </a>
  {isOpen && code > 0 && <b title={\`Lead $\{id}\`} />}
</Page>`
  assert.deepEqual(textsOfTemplate(template), [
    ...['Two words', 'Settings'],
    ...['of all', 'Read'],
    ...['New leads', 'is open now', 'Lead ${id}'],
  ])
})

function sentencesOf(code: string): string[] {
  return readTexts(code).flatMap(({ key, text }) => (isProse(text) || isName(key, text) ? [text] : []))
}

// A sentence, or four words of one.
function isProse(text: string): boolean {
  if (/^[A-Z][a-z’']+[,:]? [\w{]/.test(text)) return true
  return /^[a-z]+,? [a-z]+,? [a-z]+,? [a-z]+\b/.test(text) && !SQL.test(text)
}

const SQL =
  /\b(select|insert|update|delete|drop|create|lock|case|where|primary key|distinct from|by default|asc|desc|as|like)\b|;/

/** `label: 'Settings'` */
function isName(key: string, text: string): boolean {
  return (
    /^[A-Z][a-z]+$/.test(text) && /(^|\.)(label|title|heading|help|hint|caption|placeholder)s?$/.test(key)
  )
}

function textsOfTemplate(source: string): string[] {
  const [, code = '', markup = source] = /^---\n([\s\S]*?\n)?---\n([\s\S]*)$/.exec(source) ?? []
  const words = readTexts(code).flatMap(({ text }) => (/^[A-Z][a-z]+…?$/.test(text) ? [text] : []))
  const template = markup.replace(/<script[\s\S]*?<\/script>/g, '').replace(/\{\/\*[\s\S]*?\*\/\}/g, '')
  const texts = template.matchAll(
    /(?:(?<!=)>|\})\s*([\w’' ,.:;!?…“”"]*[A-Za-z]{2}[\w’' ,.:;!?…“”"]*?)\s*[<{]/g,
  )
  const attributes = template.matchAll(
    /\b(?:aria-label|title|alt|placeholder|heading|label|lead|help|question|action|caption)="(?![/#]|h\d)([^"]*\w[^"]*)"/g,
  )
  const strings = template.matchAll(/['`]([A-Z][a-z]+[ …][^'`]*|[a-z]+ [a-z]+ [a-z]+[^'`]*)['`]/g)
  const found = [...texts, ...attributes, ...strings].flatMap(([, text = '']) => text)
  return [...sentencesOf(code), ...words, ...found]
}
