import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SRC = join(import.meta.dirname, '../../src')

/** Stores that read leads without a scope, and why. */
const WITHOUT_SCOPE: Readonly<Record<string, string>> = {
  'forms/form-list-store.ts': 'Only users without limits open the list of forms.',
  'submissions/places/unplaced-leads-store.ts':
    'Scopes know a lead by the ID of its place, which these lack.',
  'submissions/results/last-name-store.ts': 'Names a deleted place, which only users without limits see.',
  'submissions/retention/retention-store.ts': 'Retention, and the removal of forms, concern every lead.',
  'submissions/search/search-store.ts': 'The index has every lead; the inbox keeps those in the scope.',
  'submissions/stages/stage-store.ts': 'The stages of the settings concern every lead.',
  'webhooks/body/submission-subject-store.ts': 'Bodies are rendered for receivers, not for people.',
}

const files = globSync('**/*.{ts,astro}', { cwd: SRC }).map((path) => ({
  path,
  text: readFileSync(join(SRC, path), 'utf8'),
}))

test('every screen that reads leads uses the user’s scope', () => {
  const screens = files.filter(({ path }) => /^(?:admin|pages|layouts|components)\//.test(path))
  assert.ok(screens.length > 200)
  assert.deepEqual(
    screens.filter(({ text }) => text.includes('EVERY_LEAD')).map(({ path }) => path),
    [],
  )
})

test('a store that reads leads takes a scope or has a documented exception', () => {
  const readers = files.filter(
    ({ path, text }) => path.endsWith('-store.ts') && /(?:from|selectFrom\(') ?form_submissions\b/.test(text),
  )
  assert.ok(readers.length >= 6)
  const bare = readers.filter(({ text }) => !text.includes('LeadScope')).map(({ path }) => path)
  assert.deepEqual(bare.toSorted(), Object.keys(WITHOUT_SCOPE).toSorted())
})
