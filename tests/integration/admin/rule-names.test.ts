import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForm } from '#src/forms/form-store.ts'
import { findTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { storeForm } from '../../support/forms.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

const NEW = '/admin/forms/waitlist/emails/new'

const rule = (field: string, op: string, value: string) => ({
  ...{ to: 'a@example.com', subject: '', template: '', act: 'save', fire_on: '', match: 'all' },
  ...{ rule_field: [field], rule_op: [op], rule_value: [value] },
})

async function startWithPlaces(t: Parameters<typeof startAdmin>[0]) {
  const site = await startAdmin(t)
  const { db } = site.app
  const ids = await addPlaces(db, 'testland/dallas', 'testland/fort-worth')
  const taxonomy = await findTaxonomy(db, 'locations')
  const twin = { name: 'Springfield', description: null, parentId: null }
  await insertTerms(db, taxonomy?.id ?? 0, [
    { ...twin, slug: 'springfield', position: 8 },
    { ...twin, slug: 'springfield-mo', position: 9 },
  ])
  await addEntry(db, 'services', { slug: 'airship', title: 'Airship repair' })
  const former = { entry_id: null, slug: 'cowtown', name: 'Cowtown' }
  await db
    .insertInto('former_names')
    .values({ ...former, term_id: ids.get('fort-worth') ?? 0 })
    .execute()
  return site
}

async function lastRule(site: AdminSite) {
  const form = await findForm(site.app.db, 'waitlist')
  return form?.settings.notifications?.at(-1)?.when
}

test('a rule finds a place or service by any of its names, and shows its name', async (t) => {
  const site = await startWithPlaces(t)
  let count = 0
  for (const [field, op, typed, stored, shown] of [
    ['meta.location_slug', 'within', 'Dallas', 'dallas', 'Dallas'],
    ['meta.location_slug', 'within', 'dallas', 'dallas', 'Dallas'],
    ['meta.location_slug', 'within', ' FORT WORTH ', 'fort-worth', 'Fort Worth'],
    ['meta.location_slug', 'within', 'Cowtown', 'fort-worth', 'Fort Worth'],
    ['meta.location_slug', 'within', 'springfield-mo', 'springfield-mo', 'springfield-mo'],
    ['meta.location_slug', 'in', 'Dallas, Fort Worth', ['dallas', 'fort-worth'], 'Dallas, Fort Worth'],
    ['meta.service_slug', 'eq', 'airship repair', 'airship', 'Airship repair'],
    ['meta.location_slug', 'starts_with', 'Dal', 'Dal', 'Dal'],
  ] as const) {
    const answer = await site.post(NEW, rule(field, op, typed))
    assert.equal(answer.status, 303, typed)
    assert.deepEqual(await lastRule(site), { all: [{ field, op, value: stored }] })
    const page = await site.open(`/admin/forms/waitlist/emails/${count++}`)
    assert.equal(page.valueOf('Condition 1: value'), shown)
  }
})

test('a rule about a question suggests its choices, with their labels', async (t) => {
  const site = await startAdmin(t)
  const building = { name: 'building', label: 'Building', options: ['House/h', 'Business, office/b'] }
  const fields = [
    { ...building, type: 'radio' as const },
    { name: 'full_name', label: 'Name' },
  ]
  await storeForm(site.app.db, 'quote', { fields })
  const { element } = await site.open('/admin/forms/quote/webhooks/new')
  const namesOf = (field: string) =>
    element.querySelector<HTMLElement>(`select[name="rule_field[]"] option[value="${field}"]`)?.dataset.names
  assert.equal(namesOf('full_name'), undefined)
  const list = element.querySelectorAll<HTMLOptionElement>(`#rule-${namesOf('building')} option`)
  assert.deepEqual(
    [...list].map(({ value, textContent }) => [value, textContent]),
    [
      ['h', 'House'],
      ['b', 'Business, office'],
    ],
  )
})

test('a rule with a wrong place says what to enter, and nothing is saved', async (t) => {
  const site = await startWithPlaces(t)
  for (const [field, op, value, expected] of [
    ['meta.location_slug', 'within', 'Dalas', 'No place is called “Dalas”. Did you mean Dallas?'],
    ['meta.location_slug', 'within', 'Nowhere at all', 'No place is called “Nowhere at all”.'],
    [
      'meta.location_slug',
      ...([
        'within',
        'Springfield',
        'Several places are called “Springfield”. Enter springfield or springfield-mo.',
      ] as const),
    ],
    ['meta.location_slug', 'within', '', 'Choose a place.'],
    ['meta.service_slug', 'eq', 'Plumbing!', 'No service is called “Plumbing!”.'],
    [
      'meta.location_name',
      'within',
      'Dallas',
      '“is in” works only with Place. Choose Place or another operator.',
    ],
    ['role', 'within', 'Dallas', '“is in” works only with Place. Choose Place or another operator.'],
    ['', 'within', 'Dallas', 'Choose a field for “Dallas”.'],
  ] as const) {
    for (const path of [NEW, '/admin/forms/waitlist/webhooks/new']) {
      const posted = { ...rule(field, op, value), url: 'https://a.example.com', name: 'A', max_retries: '6' }
      const page = await readAnswer(await site.post(path, { ...posted, method: 'POST', headers: '' }), 422)
      page.getByText(expected)
      assert.equal(page.valueOf('Condition 1: value'), value)
    }
  }
  assert.equal((await findForm(site.app.db, 'waitlist'))?.settings.notifications, undefined)
})

test('a rule offers places and services first, and names for them', async (t) => {
  const site = await startWithPlaces(t)
  const page = await site.open(NEW)
  const menu = page.getByRole('combobox', { name: 'Condition 1: field' })
  const groups = [...menu.querySelectorAll('optgroup')].map((group) => [
    group.getAttribute('label'),
    group.querySelector('option')?.textContent?.trim(),
  ])
  assert.deepEqual(groups, [
    ['Place and service', 'Place'],
    ['Source', 'Campaign source'],
    ['Answers', 'Full name (full_name)'],
    ['For developers', 'Lead ID (meta.submission_id)'],
  ])
  const labels = [...menu.querySelectorAll('option')].map(({ textContent }) => textContent)
  assert.equal(new Set(labels).size, labels.length)
  const value = page.getByRole('combobox', { name: 'Condition 1: value' })
  const list = page.element.querySelector(`#${value.getAttribute('list')}`)
  const choices = [...(list?.querySelectorAll('option') ?? [])].map((choice) => choice.getAttribute('value'))
  for (const name of ['Dallas', 'Fort Worth', 'springfield', 'springfield-mo'])
    assert.ok(choices.includes(name), name)
  assert.ok(!choices.includes('Springfield'))
})
