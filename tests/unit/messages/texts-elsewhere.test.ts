import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readTexts } from '#scripts/words/read-texts.ts'

const PROJECT = join(import.meta.dirname, '../../..')
/** Folders whose texts are all in src/messages. */
const CODE = 'src/{backups,components,doctor,forms,notifications,secret-keys,server,submissions}/**/*.ts'
const COMMANDS = 'scripts/{*,supply-chain/*,webhooks/*,words/*}.ts'
const TEMPLATES = 'src/components/**/*.astro'

/** Files with sentences of their own, and why. */
const OWN: Record<string, string> = {
  'src/forms/field-types/': 'a new type is one file, with its labels; `npm run words` prints them too',
  'src/components/structured-data/': 'names of schema.org, and a broken graph, which is a bug',
  'src/forms/edit-form.ts': 'a bug',
  'src/forms/form-store.ts': 'a bug',
  'src/secret-keys/reseal-secrets.ts': 'a bug',
  'src/server/bundle-entry.ts': 'a bug',
  'src/server/forms/layout-finder.ts': 'a bug',
  'src/server/prerender/static-site.ts': 'a bug',
  'src/submissions/intake/commit-submissions.ts': 'a bug',
  'src/submissions/intake/group-commit.ts': 'a bug',
}

const filesOf = (pattern: string) => globSync(pattern, { cwd: PROJECT })
const sourceOf = (file: string) => readFileSync(join(PROJECT, file), 'utf8')

test('code and commands hold no sentence of their own', () => {
  const found = [...filesOf(CODE), ...filesOf(COMMANDS)].flatMap((file) =>
    readTexts(sourceOf(file))
      .filter(({ text }) => /^[A-Z][a-z’']+[,:]? [\w{]/.test(text))
      .map(({ text }) => `${file}: ${text}`),
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

test('templates of the site hold no text of their own', () => {
  const found = filesOf(TEMPLATES).flatMap((file) => {
    const source = sourceOf(file)
    const template = source.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/<script[\s\S]*?<\/script>/g, '')
    const texts = template.matchAll(/>\s*([A-Z][\w’' ,.:;!?]+?)\s*[<{]/g)
    const attributes = template.matchAll(
      /\b(?:aria-label|title|alt|placeholder|heading|label)="(?!h\d)([^"]*\w[^"]*)"/g,
    )
    return [...texts, ...attributes].map(([, text]) => `${file}: ${text}`)
  })
  assert.deepEqual(found, [])
})
