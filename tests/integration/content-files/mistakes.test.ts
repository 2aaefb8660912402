import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMistake, type Mistake } from '#src/content-files/parsing/mistake.ts'
import { findForm } from '#src/forms/form-store.ts'
import { savePublishedAddresses } from '#src/publish/addresses/published-address-store.ts'
import { renameForm } from '#src/site/forms/rename-form.ts'
import { findTaxonomy, listTerms } from '#src/taxonomies/taxonomy-store.ts'
import { CONTENT_WITH_MISTAKES } from '../../fixtures/content-with-mistakes.ts'
import { editEntry, editPlace } from '../../support/small-edits.ts'
import { assertTells, codeOf } from '../../support/wording.ts'
import { allRows, aPage, getEntryOf, LOCATIONS, NOW, openWorkspace, type Workspace } from './workspace.ts'

async function mistakesOf(workspace: Workspace): Promise<Mistake[]> {
  const result = await workspace.sync()
  assert.equal(result.kind, 'mistakes', JSON.stringify(result))
  return result.mistakes
}

const EXPECTED: [place: string, code: string, message: RegExp][] = [
  ['content_types/projects.yaml:3', 'value_faulty/route_start', /route pattern must start with \//],
  ['content_types/projects.yaml:6', 'value_faulty/key_taken', /"title" is taken/],
  ['content_types/projects.yaml:7', 'value_wrong/choice', /"integer", expected one of: text, textarea/],
  [
    'content_types/projects.yaml:13',
    'value_faulty/part_key_taken',
    /"time" is taken, expected a key that no other part of the list has/,
  ],
  ['forms/contact.txt:1', 'path_expected', /expected forms\/<slug>\.yaml/],
  ['forms/quote.yaml:4', 'value_wrong/choice', /"dropdown", expected one of: text, textarea, email/],
  ['forms/quote.yaml:7', 'variable_unset', /"UNSET_HOOK" is not set in the environment/],
  ['forms/quote.yaml:8', 'variable_unset', /"UNSET_SECRET" is not set in the environment/],
  [
    'forms/quote.yaml:11',
    'value_faulty/unknown_field',
    /payload_template: unknown reference "phone", expected a form field/,
  ],
  ['forms/quote.yaml:12', 'value_faulty/unknown_field', /fire_on: unknown reference "colour"/],
  ['forms/quote.yaml:13', 'unknown_key', /unknown key webhooks\[1\]\.retries, expected one of: name, url/],
  [
    'location_services/ac-repair/atlantis.md:2',
    'file_unknown',
    /unknown testimonial "nobody", expected no value/,
  ],
  ['notes.txt:1', 'file_of_no_kind', /^unexpected file/],
  ['pages/about.md:4', 'taxonomy_of_others', /service_categories does not apply to pages/],
  ['recipes/soup.md:1', 'file_of_no_kind', /^unknown folder/],
  ['services/Bad_Name.md:1', 'name_wrong', /invalid file name, expected up to 80 lowercase letters/],
  ['services/ac-repair.md:3', 'value_wrong/choice', /status is "publish", expected one of: draft, published/],
  ['services/ac-repair.md:4', 'unknown_key', /unknown key price, expected one of: title, status, summary/],
  ['services/ac-repair.md:5', 'value_wrong/type', /includes is "Everything", expected a list/],
  ['services/ac-repair.md:7', 'value_missing/type', /faq\[1\]\.answer is missing, expected text/],
  ['services/ac-repair.md:9', 'term_unknown', /unknown term "heating" in service_categories/],
  ['services/ac-repair.md:10', 'taxonomy_unknown', /unknown taxonomy "moods"/],
  ['services/ac-repair.md:11', 'file_unknown', /unknown form "quotes", expected one of: waitlist/],
  ['services/ac-repair.md:12', 'places_unknown', /"texas\/\*\*\*" is not a valid pattern/],
  [
    'services/ac-repair.md:13',
    'file_unknown',
    /unknown icon "rocket", expected one of: drain, flame, .*, wrench$/,
  ],
  ['services/broken.md:2', 'yaml_invalid', /the YAML cannot be read/],
  [
    'services/no-fences.md:1',
    'front_matter_missing',
    /front matter is missing, expected YAML between two lines of ---/,
  ],
  ['site.yaml:2', 'value_wrong/type', /tagline is 42, expected text \(put it in quotes\)/],
  ['site.yaml:3', 'unknown_key', /unknown key colour, expected one of: name, logo, logo_dark/],
  ['site.yaml:6', 'value_wrong/page_path', /navigation\[1\]\.path is "services", expected a path/],
  ['site.yaml:7', 'file_unknown', /unknown form "quotes"/],
  [
    'site.yaml:8',
    'value_wrong/country_code',
    /country is "UK", expected a country code of two letters, such as IE/,
  ],
  [
    'site.yaml:9',
    'value_wrong/language_code',
    /language is "jp", expected a language code such as en, en-IE, or ja/,
  ],
  [
    'site.yaml:10',
    'value_wrong/time_zone',
    /time_zone is "Mars\/Olympus", expected a time zone such as Europe\/Dublin/,
  ],
  [
    'taxonomies/locations.yaml:8',
    'value_faulty/term_repeated',
    /"austin" is already the slug of another term/,
  ],
  ['taxonomies/locations.yaml:9', 'value_wrong/slug', /"San Antonio", expected up to 80 lowercase letters/],
  ['taxonomies/service_categories.yaml:3', 'file_unknown', /unknown content type "recipes"/],
  ['testimonials/anna.md:2', 'value_missing/type', /author is missing, expected text/],
  ['testimonials/anna.md:3', 'file_unknown', /unknown service "furnace-repair"/],
]

test('contract §3 every error in a folder is reported in one run, with file and line', async (t) => {
  const mistakes = await mistakesOf(await openWorkspace(t, CONTENT_WITH_MISTAKES))
  assert.deepEqual(
    mistakes.map(({ path, line, fault }) => [`${path}:${line}`, codeOf(fault)]),
    EXPECTED.map(([place, code]) => [place, code]),
  )
  for (const [index, [, , message]] of EXPECTED.entries()) assertTells(mistakes[index], message)
})

test('an unknown look is reported with the package that would add it', async (t) => {
  const chosen = (preset: string) => ({ 'site.yaml': `name: A business\ntheme:\n  preset: ${preset}\n` })
  const [unknown] = await mistakesOf(await openWorkspace(t, chosen('coastal')))
  assert.equal(unknown && codeOf(unknown.fault), 'value_wrong/installed_look')
  assert.equal(unknown?.line, 3)
  assertTells(unknown, /expected one of: bluebonnet, .*npm install signpost-look-coastal$/)
  const [unnamed] = await mistakesOf(await openWorkspace(t, chosen('Coastal Blue')))
  assertTells(unnamed, /"Coastal Blue", expected one of: [a-z, ]+$/)
})

test('a text that takes too long to format is refused with its line', async (t) => {
  const workspace = await openWorkspace(t, {
    'pages/ordinary.md': aPage({ body: 'Our crew *checks* the unit.\n\n'.repeat(5_000) }),
    'pages/quotes.md': aPage({ body: '>'.repeat(30_000) }),
    'pages/slow.md': aPage({ body: `${'**a*b '.repeat(30_000)}![a](a.jpg)` }),
  })
  assert.deepEqual(
    (await mistakesOf(workspace)).map(({ path, line, fault }) => `${path}:${line} ${fault.code}`),
    ['pages/quotes.md:6 text_too_deep', 'pages/slow.md:6 text_too_slow'],
  )
})

test('a long text that was synced before isn’t checked again', async (t) => {
  const workspace = await openWorkspace(t, { 'pages/about.md': aPage({ body: 'Short.' }) })
  await workspace.synced()
  const body = '>'.repeat(30_000)
  const { db } = workspace
  const { document_json } = await db
    .selectFrom('content_files')
    .select('document_json')
    .where('path', '=', 'pages/about.md')
    .executeTakeFirstOrThrow()
  const stored = JSON.stringify({ ...JSON.parse(document_json), body })
  await db
    .updateTable('content_files')
    .set({ document_json: stored })
    .where('path', '=', 'pages/about.md')
    .execute()
  workspace.write('pages/about.md', aPage({ body }))
  await workspace.synced()
})

test('contract §3 with one error nothing is written', async (t) => {
  const workspace = await openWorkspace(t, {
    'taxonomies/locations.yaml': LOCATIONS,
    'pages/about.md': aPage(),
    'pages/wrong.md': '---\ntitel: Wrong\n---\n',
  })
  const before = await allRows(workspace)
  assert.equal((await mistakesOf(workspace)).length, 2)
  assert.deepEqual(await allRows(workspace), before)
})

test('removing a term that an unchanged file refers to is an error in that file', async (t) => {
  const workspace = await openWorkspace(t, {
    'taxonomies/locations.yaml': LOCATIONS,
    'location_services/ac-repair/dallas.md': '---\n---\n',
    'services/ac-repair.md': '---\ntitle: AC repair\noffered_in:\n  - texas/**\n  - oklahoma\n---\n',
  })
  await workspace.synced()
  workspace.write(
    'taxonomies/locations.yaml',
    LOCATIONS.replaceAll('oklahoma', 'ohio').replaceAll('dallas', 'waco'),
  )
  assert.deepEqual(
    await mistakesOf(workspace),
    [
      ['location_services/ac-repair/dallas.md', 1, 'dallas'] as const,
      ['services/ac-repair.md', 5, 'oklahoma'] as const,
    ].map(([path, line, slug]) => {
      const fault = { code: 'term_unknown', params: { slug, taxonomy: 'locations' } }
      return { path, line, fault }
    }),
  )
})

test('a file that uses a former slug of a place or form learns the new one', async (t) => {
  const service = '---\ntitle: Cooling\nform: quote\noffered_in: [austin/*]\n---\n'
  const review = '---\ntitle: Jo\nauthor: Jo\nservice: cooling\n---\n'
  const workspace = await openWorkspace(t, {
    'taxonomies/locations.yaml': LOCATIONS,
    'forms/quote.yaml': 'name: Quote\nfields:\n  - { name: email, type: email, label: E-mail }\n',
    'services/cooling.md': service,
    'testimonials/jo.md': review,
  })
  await workspace.synced()
  const { db } = workspace
  const form = await findForm(db, 'quote')
  await savePublishedAddresses(db, [{ path: '/forms/quote', key: `form:${form?.id}` }])
  await renameForm(db, 'quote', 'estimate', { now: NOW.toISOString() })
  const places = await findTaxonomy(db, 'locations')
  const austin = (await listTerms(db, places?.id ?? 0)).find(({ slug }) => slug === 'austin')
  await editPlace(db, austin?.id, { slug: 'austin-tx' })
  await editEntry(db, (await getEntryOf(workspace, 'services', 'cooling')).id, { slug: 'ac' })
  workspace.write('services/ac.md', service.replace('Cooling', 'AC'))
  workspace.write('testimonials/jo.md', review.replace('title: Jo', 'title: Joe'))
  const former = (path: string, line: number, [slug, now]: [string, string]) => ({
    ...{ path, line, fault: { code: 'name_former', params: { slug, now } } },
  })
  assert.deepEqual(await mistakesOf(workspace), [
    former('services/ac.md', 3, ['quote', 'estimate']),
    former('services/ac.md', 4, ['austin', 'austin-tx']),
    former('testimonials/jo.md', 4, ['cooling', 'ac']),
  ])
})

test('§2.9 rule 1: a location service of an unknown service is an error', async (t) => {
  const workspace = await openWorkspace(t, {
    'taxonomies/locations.yaml': LOCATIONS,
    'location_services/roofing/austin.md': '---\n---\n',
  })
  const [mistake] = await mistakesOf(workspace)
  assert.equal(mistake?.fault.code, 'file_unknown')
  assertTells(mistake, /unknown service "roofing"/)
})

test('§2.9 rule 3: entries of other types can’t use a location service’s address', async (t) => {
  const files = {
    'taxonomies/locations.yaml': LOCATIONS,
    'services/cooling.md': '---\ntitle: Cooling\noffered_in: [texas]\n---\n',
    'content_types/offers.yaml':
      'name: Offers\nis_routable: true\nroute_pattern: /services/{service}/{slug}\n',
    'offers/cooling/summer.md': '---\ntitle: Summer\n---\n',
  }
  const workspace = await openWorkspace(t, files)
  await workspace.synced()
  workspace.write('offers/cooling/texas.md', '---\ntitle: Texas\n---\n')
  assert.deepEqual(await mistakesOf(workspace), [
    {
      path: 'offers/cooling/texas.md',
      line: 1,
      fault: {
        code: 'address_wrong',
        params: {
          rule: {
            code: 'address_shared',
            params: { path: '/services/cooling/texas', owner: 'location_services/cooling/texas' },
          },
        },
      },
    },
  ])
})

test('§2.9 rule 3: a location service’s file is two folders deep', async (t) => {
  const workspace = await openWorkspace(t, { 'location_services/austin.md': '---\n---\n' })
  const [mistake] = await mistakesOf(workspace)
  const path = 'location_services/{service_slug}/{location_slug}.md'
  assert.deepEqual(mistake?.fault, { code: 'path_wrong', params: { path } })
})

test('error messages show no possible secret', async (t) => {
  const webhook =
    '{ url: https://a.example/, headers: { X-Key: [topsecret] }, signing_secret: { key: topsecret } }'
  const workspace = await openWorkspace(t, {
    'forms/quote.yaml': `name: Q\nfields: []\nwebhooks:\n  - ${webhook}\n`,
  })
  const mistakes = await mistakesOf(workspace)
  assert.equal(mistakes.length, 2)
  assert.doesNotMatch(JSON.stringify(mistakes), /topsecret/)
  assert.doesNotMatch(mistakes.map((mistake) => formatMistake(mistake, '')).join('\n'), /topsecret/)
})

test('contract §3 a file isn’t blamed for another file’s error', async (t) => {
  const workspace = await openWorkspace(t, {
    'content_types/projects.yaml': 'nam: Projects\n',
    'projects/roof.md': '---\ntitle: Roof\n---\n',
  })
  const paths = (await mistakesOf(workspace)).map(({ path }) => path)
  assert.deepEqual([...new Set(paths)], ['content_types/projects.yaml'])
})

test('contract §3 a missing or wrong field is reported with its allowed values', async (t) => {
  const fields = ['day, type: date', 'link, type: url', 'hours, type: number'].map(
    (field) => `    - { key: ${field}, label: A, required: true }\n`,
  )
  const files = {
    'content_types/events.yaml': `name: Events\nschema:\n  fields:\n${fields.join('')}`,
    'events/a.md': '---\ntitle: A\n---\n',
    'events/b.md': '---\ntitle: B\nday: 2026\nlink: 7\nhours: "8"\n---\n',
  }
  const mistakes = await mistakesOf(await openWorkspace(t, files))
  assert.deepEqual(
    mistakes.map(({ path, line, fault }) => `${path}:${line} ${codeOf(fault)}`),
    [
      'events/a.md:2 value_missing/date',
      'events/a.md:2 value_missing/https_address',
      'events/a.md:2 value_missing/type',
      'events/b.md:3 value_wrong/date',
      'events/b.md:4 value_wrong/https_address',
      'events/b.md:5 value_wrong/type',
    ],
  )
  const told = [
    /^day is missing, expected a date such as 2026-11-20$/,
    /^link is missing, expected an address that starts with https:\/\/$/,
    /^hours is missing, expected a number$/,
    /^day is 2026, expected a date such as 2026-11-20$/,
    /^link is 7, expected an address that starts with https:\/\/$/,
    /^hours is "8", expected a number$/,
  ]
  for (const [index, wording] of told.entries()) assertTells(mistakes[index], wording)
})

test('contract §3 names and numbers that can’t be stored are errors', async (t) => {
  const files = {
    'content_types/pictures.yaml': 'name: Pictures\n',
    'content_types/2d.yaml': 'name: Drawings\n',
    'taxonomies/moods.yaml': 'name: Moods\nsort_order: 3000000000\n',
    'taxonomies/2026-events.yaml': 'name: Events\nsort_order: .nan\n',
    'pages/about.md': '---\ntitle: About\npublish_at: 9999-12-31T23:59:59-10:00\n---\n',
    'content_types/events.yaml': `name: Events\nschema: { fields: [{ key: permit, label: A, type: number }] }\n`,
    'events/a.md': '---\ntitle: A\npermit: 12345678901234567890\n---\n',
  }
  const mistakes = await mistakesOf(await openWorkspace(t, files))
  assert.deepEqual(
    mistakes.map(({ path, fault }) => `${path} ${codeOf(fault)}`),
    [
      'content_types/2d.yaml type_slug_invalid',
      'content_types/pictures.yaml type_slug_taken',
      'events/a.md value_wrong/at_most',
      'pages/about.md value_wrong/moment',
      'taxonomies/2026-events.yaml value_wrong/type',
      'taxonomies/moods.yaml value_wrong/at_most',
    ],
  )
  const told = [
    /is not a valid slug for a type/,
    /is reserved/,
    /^permit is 12345678901234567000, expected at most 9007199254740991$/,
    /"9999-12-31T23:59:59-10:00", expected a date/,
  ]
  for (const [index, wording] of told.entries()) assertTells(mistakes[index], wording)
  assertTells(mistakes[4], /^sort_order is NaN, expected a number$/)
  assertTells(mistakes[5], /^sort_order is 3000000000, expected at most 2147483647$/)
})

test('§2.9 fields that built-in templates read keep their type', async (t) => {
  const fields = [
    'includes, label: Includes, type: text',
    'icon, label: Icon, type: text',
    'own, label: Own, type: url',
  ]
  const files = {
    'content_types/services.yaml': `name: Services\nis_routable: true\nroute_pattern: /services/{slug}\nschema:\n  fields:\n${fields.map((field) => `    - { key: ${field} }\n`).join('')}`,
  }
  assert.deepEqual(await mistakesOf(await openWorkspace(t, files)), [
    {
      path: 'content_types/services.yaml',
      line: 6,
      fault: {
        code: 'field_type_changed',
        params: { key: 'includes', given: 'text', expected: 'list', type: 'Services' },
      },
    },
  ])
})

test('§2.9 only location services have location service fields', async (t) => {
  const fields = ['service_entry_id', 'location_term_id'].map(
    (key) => `    - { key: ${key}, label: Part, type: number, required: true }\n`,
  )
  const schema = `schema:\n  fields:\n${fields.join('')}`
  const builtin = 'is_routable: true\nroute_pattern: /services/{service_slug}/{location_slug}\n'
  const files = {
    'content_types/location_services.yaml': `name: Places\n${builtin}${schema}`,
    'content_types/offers.yaml': `name: Offers\n${schema}`,
  }
  const mistakes = await mistakesOf(await openWorkspace(t, files))
  assert.deepEqual(
    mistakes.map(({ path, line, fault }) => `${path}:${line} ${codeOf(fault)}`),
    [
      'content_types/offers.yaml:4 value_faulty/key_taken',
      'content_types/offers.yaml:5 value_faulty/key_taken',
    ],
  )
})

test('§2.9 a new field can’t have the key of an input in the entry editor, and a stored one stays', async (t) => {
  const path = 'content_types/offices.yaml'
  const aType = (key: string, name = 'Offices') =>
    `name: ${name}\nschema:\n  fields:\n    - { key: ${key}, label: Zone, type: text }\n`
  const workspace = await openWorkspace(t, { [path]: aType('based_on') })
  const refused = [`${path}:4 value_faulty/key_taken`]
  const list = async () =>
    (await mistakesOf(workspace)).map((one) => `${one.path}:${one.line} ${codeOf(one.fault)}`)
  assert.deepEqual(await list(), refused)
  workspace.write(path, aType('zone'))
  await workspace.synced()
  // An earlier program took any key.
  const fields = [{ key: 'based_on', label: 'Zone', type: 'text' }]
  const schema_json = JSON.stringify({ fields })
  await workspace.db.updateTable('content_types').set({ schema_json }).where('slug', '=', 'offices').execute()
  workspace.write(path, aType('based_on', 'Branches'))
  assert.equal((await workspace.sync({ prefer: 'file' })).kind, 'synced')
  workspace.write(path, aType('act'))
  assert.deepEqual(await list(), refused)
})

test('§2.9 rules 3 and 4: the location services pattern needs the service, then the place', async (t) => {
  const path = 'content_types/location_services.yaml'
  const placeholders = ['{service_slug}', '{location_slug}']
  for (const pattern of ['/in/{location_slug}/{service_slug}', '/x/{service_slug}', '/x/{a}/{b}/{c}']) {
    const text = `name: Places\nis_routable: true\nroute_pattern: ${pattern}\n`
    assert.deepEqual(await mistakesOf(await openWorkspace(t, { [path]: text })), [
      {
        ...{ path, line: 3 },
        fault: {
          code: 'value_faulty',
          params: { name: 'route_pattern', rule: { code: 'route_of_pairs', params: { placeholders } } },
        },
      },
    ])
  }
})

const BLANK: [path: string, text: string, message: RegExp][] = [
  ['site.yaml', 'name: A\naddress: "  "\n', /^address is " {2}", expected text$/],
  ['site.yaml', 'name: A\nhome: { intro: "\\n" }\n', /^home.intro is .*, expected text$/],
  ['pages/about.md', '---\n\ntitle: " "\n---\n', /^title is " ", expected text$/],
  ['services/ac.md', '---\ntitle: A\nincludes: ["\u00a0"]\n---\n', /^includes\[1\] is .*, expected text$/],
  [
    'taxonomies/moods.yaml',
    'name: M\nterms: [{ slug: calm, name: " " }]\n',
    /^terms\[1\].name .*, expected text$/,
  ],
]

test('contract §3 a blank required text is an error in its file and doesn’t fail a publish', async (t) => {
  for (const [path, text, message] of BLANK) {
    const [mistake, ...more] = await mistakesOf(await openWorkspace(t, { [path]: text }))
    assert.ok(mistake)
    assert.equal(codeOf(mistake.fault), 'value_wrong/filled_text')
    assertTells(mistake, message)
    assert.deepEqual({ path: mistake?.path, more }, { path, more: [] })
  }
})

test('contract §3 line endings of any system are accepted', async (t) => {
  const lines = ['---', 'title: About', 'summary: Who', '---', '', 'One', '', 'Two', '']
  const workspace = await openWorkspace(t, { 'pages/about.md': lines.join('\n') })
  await workspace.synced()
  for (const end of ['\r\n', '\r']) {
    workspace.write('pages/about.md', `\uFEFF${lines.join(end)}`)
    assert.deepEqual((await workspace.synced()).changed, [])
  }
})

test('contract §3 an unprintable character is an error with its line', async (t) => {
  const [mistake] = await mistakesOf(await openWorkspace(t, { 'pages/about.md': aPage({ body: 'A\n\0' }) }))
  assert.deepEqual(mistake, {
    path: 'pages/about.md',
    line: 7,
    fault: { code: 'character_unusable', params: { name: 'U+0000' } },
  })
})
