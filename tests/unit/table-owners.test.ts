import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SRC = join(import.meta.dirname, '../../src')
const WRITE = /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*['"`](\w+)/g
const RAW_WRITE =
  /\b(?:insert into|update|delete from)\s+"?([a-z]+_[a-z_]+|forms|sessions|settings|uploads)"?\s/gi
const READ = /\.(?:selectFrom|innerJoin|leftJoin|rightJoin)\(\s*\[?['"`](\w+)/g

/** Tables that more than one feature writes, and why. */
const SHARED_WRITES: Record<string, string> = {
  content_entries:
    'publish: a schedule changes its own temporary database, which has the rows of the live site.',
  settings:
    'auth, db, site: rows of key and value. auth writes whether a second factor is required, db which key the database has, site the rest.',
}

/** Features that read a table of another feature, and why. */
const FOREIGN_READS: Record<string, string> = {
  'admin_users by entries': 'The editor says who else has it open.',
  'admin_users by submissions':
    'A note has the name of its author; a shared filter reaches only users with the limits of its author.',
  'content_entries by conditions': 'A rule keeps the service that it names.',
  'content_entries by site': 'Views show entries; thousands of them are read in one query.',
  'content_entries by submissions': 'A lead keeps the names of its service and place.',
  'content_files by site': 'The admin says whether a form comes from a file.',
  'content_types by conditions': 'A rule keeps the service that it names.',
  'content_types by site': 'Views show entries with the route of their type.',
  'content_types by submissions': 'A lead keeps the names of its service and place.',
  'content_types by taxonomies': 'The admin names the types whose entries still have terms of a taxonomy.',
  'entry_taxonomy_terms by taxonomies':
    'The admin says how many entries a taxonomy classifies before it goes.',
  'content_versions by entries': 'A list says which entries have a draft, in its one query.',
  'form_fields by webhooks': 'A body has the labels of the form, in the query that claims it.',
  'form_submissions by db': '/health tries a transaction on the table that posts need.',
  'form_submissions by notifications': 'A failed email of a lead that is archived needs no attention.',
  'form_submissions by webhooks': 'A body is rendered from the submission, in the query that claims it.',
  'form_versions by webhooks': 'A body has the labels that the visitor saw.',
  'forms by submissions': 'The inbox shows the name of the form.',
  'forms by webhooks': 'A body and the overview have the name of the form.',
  'former_names by conditions': 'A rule may name a place or service by a former slug.',
  'former_names by submissions': 'The search finds a lead by what its place was called.',
  'pictures by entries': 'An entry names a picture that has to exist.',
  'pictures by publish': 'A schedule takes the pictures of the live site.',
  'published_addresses by forms':
    'Pages that are out call a renamed form by the slug they were published with.',
  'published_addresses by site': 'A page that moved is found by its former address.',
  'publishes by site': 'The admin says since when a form is on published pages.',
  'servers by content-files': 'Errors in the files of a server that is gone are not shown.',
  'settings by publish': 'A schedule takes the settings of the live site.',
  'settings by submissions': 'The settings of the site name the stages of leads.',
  'taxonomies by conditions': 'A rule keeps the place that it names.',
  'taxonomies by submissions': 'A lead keeps the names of its service and place.',
  'taxonomy_terms by conditions': 'A rule keeps the place that it names.',
  'taxonomy_terms by entries': 'An offer names places; thousands of them are read in one query.',
  'taxonomy_terms by site': 'Views show places; thousands of them are read in one query.',
  'taxonomy_terms by submissions': 'A lead keeps the names of its service and place.',
}

const files = globSync('**/*.{ts,astro}', { cwd: SRC }).map((path) => ({
  path,
  feature: path.split('/')[0] ?? '',
  text: readFileSync(join(SRC, path), 'utf8'),
}))
const writers = featuresByTable([WRITE, RAW_WRITE])
const readers = featuresByTable([READ])

test('only one feature writes a table, or the exception has a reason', () => {
  assert.ok(writers.size > 30, `only ${writers.size} tables are written`)
  const shared = [...writers].filter(([, features]) => features.size > 1).map(([table]) => table)
  assert.deepEqual(shared.toSorted(), Object.keys(SHARED_WRITES).toSorted())
})

test('a feature reads its own tables, or the exception has a reason', () => {
  const foreign = [...readers].flatMap(([table, features]) =>
    writers.has(table)
      ? [...features.difference(writers.get(table) ?? new Set())].map((feature) => `${table} by ${feature}`)
      : [],
  )
  const known = Object.keys(FOREIGN_READS).filter((name) => writers.has(name.split(' ')[0] ?? ''))
  assert.deepEqual(foreign.toSorted(), known.toSorted())
})

test('queries are in stores', () => {
  const elsewhere = files.filter(({ text }) => text.search(WRITE) >= 0).map(({ path }) => path)
  assert.deepEqual(
    elsewhere.filter((path) => !path.endsWith('-store.ts')),
    [],
  )
})

function featuresByTable(patterns: readonly RegExp[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { feature, text } of files)
    for (const pattern of patterns)
      for (const [, table = ''] of text.matchAll(pattern))
        found.set(table, (found.get(table) ?? new Set()).add(feature))
  return found
}
