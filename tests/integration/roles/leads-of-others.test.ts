import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Limits, Role } from '#src/auth/roles/role.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { adminRoutes } from '../../support/admin-routes.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { addPlaces } from '../../support/small-site.ts'
import { printFigure, soakLength } from '../../support/soak.ts'
import { storeFormWithLeads } from '../../support/stored/leads.ts'

const REQUESTS = Number(process.env.LEAD_REQUESTS ?? soakLength(600, 100_000))
const SEED = Number(process.env.LEAD_SEED ?? 22)

const PLACES = ['austin', 'round-rock', 'dallas', 'ohio'] as const
const FORMS = ['quotes', 'calls'] as const

interface MarkedLead {
  id: number
  place: string | null
  form: string
  /** Stands in everything that is stored of the lead, and in no request. */
  mark: string
}

interface World {
  leads: MarkedLead[]
  ids: number[]
  placeIds: Map<string, number>
  formIds: Map<string, number>
}

test('in no answer to an account with limits is a byte of a lead beyond them, and no request changes one', async (t) => {
  const site = await startAdmin(t)
  const world = await storeWorld(site)
  const people = accountsOf(world)
  const ofNobody = world.leads.filter((lead) => people.every((one) => beyond(world, one).includes(lead)))
  assert.ok(ofNobody.length > 0)
  const before = await readLeads(site, ofNobody)
  const random = randomFrom(SEED)
  const sessions = new Map<string, Person>()
  const answered = new Map<number, number>()
  for (let index = 0; index < REQUESTS; index += 1) {
    const one = people[index % people.length] as Account
    const person = sessions.get(one.name) ?? (await addPerson(site, one.role, one.limits))
    sessions.set(one.name, person)
    const response = await askAtRandom(world, { one, person, random, index })
    answered.set(response.status, (answered.get(response.status) ?? 0) + 1)
    // Some requests end the own session, or remove each other's account.
    if (response.headers.get('location')?.startsWith('/admin/login')) sessions.delete(one.name)
  }
  assert.deepEqual(await readLeads(site, ofNobody), before)
  assert.ok((answered.get(200) ?? 0) > REQUESTS / 20, 'pages are seen at all')
  printFigure(
    t,
    `${REQUESTS} requests: ${[...answered].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
  )
})

interface Asked {
  one: Account
  person: Person
  random: () => number
  index: number
}

async function askAtRandom(world: World, { one, person, random, index }: Asked): Promise<Response> {
  const { path, init } = randomRequest(world, random)
  const response = await person.fetch(path, init)
  const text = `${JSON.stringify([...response.headers])}${await response.text()}`
  const said = `${one.name}: ${init?.method ?? 'GET'} ${path} ${init?.body ?? ''} (seed ${SEED}, ${index})`
  for (const { mark } of beyond(world, one))
    assert.ok(!text.includes(mark), `${mark} in the answer to ${said}`)
  assert.ok(response.status < 500, `${response.status} to ${said}`)
  return response
}

test('lists, counts, pages, files, deliveries, and exports hold the leads within the limits, all of them', async (t) => {
  const site = await startAdmin(t)
  const world = await storeWorld(site)
  // Editors read no leads at all.
  for (const one of accountsOf(world).filter(({ role }) => role !== 'editor')) {
    const person = await addPerson(site, one.role, one.limits)
    const within = world.leads.filter((lead) => !beyond(world, one).includes(lead))
    assert.ok(within.length > 0 && within.length < world.leads.length, one.name)
    const list = await (await person.fetch('/admin/inbox?status=all')).text()
    for (const { id, mark } of within) {
      assert.ok(list.includes(mark), `${mark} in the list of ${one.name}`)
      assert.equal((await person.fetch(`/admin/inbox/${id}`)).status, 200)
    }
    for (const { id, mark } of beyond(world, one)) {
      assert.ok(!list.includes(mark), `${mark} in the list of ${one.name}`)
      assert.equal((await person.fetch(`/admin/inbox/${id}`)).status, 404)
    }
    if (one.role !== 'manager') continue
    const exported = JSON.parse(await (await person.fetch('/admin/inbox/export.json?status=all')).text())
    const ids = exported.map((row: { id: number }) => row.id)
    assert.deepEqual(ids.toSorted(), within.map(({ id }) => id).toSorted(), one.name)
  }
})

interface Account {
  name: string
  role: Role
  limits: Partial<Limits>
}

function accountsOf({ placeIds, formIds }: World): Account[] {
  const at = (slug: string) => placeIds.get(slug) as number
  const of = (slug: string) => formIds.get(slug) as number
  return [
    { name: 'manager of Austin', role: 'manager', limits: { places: [at('austin')] } },
    { name: 'office of Dallas', role: 'office', limits: { places: [at('dallas')] } },
    { name: 'viewer of Texas', role: 'viewer', limits: { places: [at('texas')] } },
    { name: 'editor of Dallas', role: 'editor', limits: { places: [at('dallas')] } },
    { name: 'manager of calls', role: 'manager', limits: { forms: [of('calls')] } },
    {
      name: 'office of quotes in Austin',
      role: 'office',
      limits: { places: [at('austin')], forms: [of('quotes')] },
    },
  ]
}

// By hand: Round Rock is below Austin, both and Dallas are below Texas.
const BELOW: Readonly<Record<string, readonly string[]>> = {
  austin: ['austin', 'round-rock'],
  dallas: ['dallas'],
  texas: ['austin', 'round-rock', 'dallas'],
}

function beyond({ leads, placeIds, formIds }: World, { role, limits }: Account): MarkedLead[] {
  if (role === 'editor') return leads
  const [places, forms] = [namesOf(placeIds, limits.places), namesOf(formIds, limits.forms)]
  const seen = places?.flatMap((slug) => BELOW[slug] ?? [])
  return leads.filter(
    ({ place, form }) => (seen && !(place && seen.includes(place))) || (forms && !forms.includes(form)),
  )
}

function namesOf(
  ids: Map<string, number>,
  limit: readonly number[] | null | undefined,
): string[] | undefined {
  return limit ? [...ids].filter(([, id]) => limit.includes(id)).map(([slug]) => slug) : undefined
}

async function storeWorld(site: AdminSite): Promise<World> {
  const { db } = site.app
  const taken = await db.selectFrom('taxonomy_terms').select(['id', 'slug']).execute()
  const own = new Map(taken.map(({ id, slug }) => [slug, id]))
  await addPlaces(db, 'ohio')
  const parents = { 'round-rock': own.get('austin'), dallas: own.get('texas') }
  for (const [slug, parent_id] of Object.entries(parents)) {
    await addPlaces(db, slug)
    await db
      .updateTable('taxonomy_terms')
      .set({ parent_id: parent_id ?? null })
      .where('slug', '=', slug)
      .execute()
  }
  const terms = await db.selectFrom('taxonomy_terms').select(['id', 'slug']).execute()
  const world: World = {
    ...{ leads: [], ids: [] },
    placeIds: new Map(terms.map(({ id, slug }) => [slug, id])),
    formIds: new Map(),
  }
  for (const form of FORMS)
    for (const [index, pair] of [PLACES.slice(0, 2), PLACES.slice(2), [null, 'austin']].entries()) {
      const stored = await storeFormWithLeads(site.app, `${form}-${index}`)
      const first = world.formIds.get(form) ?? stored.form.id
      world.formIds.set(form, first)
      for (const [at, lead] of stored.leads.entries()) {
        const place = pair[at] ?? null
        const mark = `Zmark${form}${index}${at}`
        world.leads.push({ id: lead.id, place, form, mark })
        world.ids.push(lead.id, lead.uploadId, ...lead.noteIds)
        const placeId = world.placeIds.get(place ?? '') ?? null
        await markLead(site, { ...lead, formId: first, place, placeId, mark })
      }
      world.ids.push(...stored.pending.map(({ id }) => id), ...stored.failed.map(({ id }) => id))
    }
  await site.app.searchIndex.catchUp(1_000)
  return world
}

interface Marking {
  id: number
  formId: number
  place: string | null
  placeId: number | null
  mark: string
}

async function markLead(
  { app: { db } }: AdminSite,
  { id, formId, place, placeId, mark }: Marking,
): Promise<void> {
  const answers = JSON.stringify({
    full_name: `${mark} Person`,
    email: `${mark}@example.com`,
    text: 'boiler leaks',
  })
  const path = place === null ? null : `usa/${place}`
  await db
    .updateTable('form_submissions')
    .set({
      data_json: answers,
      form_id: formId,
      location_slug: place,
      location_id: placeId,
      location_path: path,
      location_name: place,
    })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('submission_notes')
    .set({ body: `Note ${mark}` })
    .where('submission_id', '=', id)
    .execute()
  await db
    .updateTable('uploads')
    .set({ name: `${mark}.jpg` })
    .where('submission_id', '=', id)
    .execute()
  await db
    .updateTable('notification_mails')
    .set({ recipient: `${mark}@mail.example`, form_id: formId })
    .where('submission_id', '=', id)
    .execute()
  const deliveries = db.selectFrom('webhook_deliveries').select('id').where('submission_id', '=', id)
  await db
    .updateTable('delivery_bodies')
    .set({ body: `{"body":"${mark}"}` })
    .where('delivery_id', 'in', deliveries)
    .execute()
  await db
    .updateTable('delivery_attempts')
    .set({ response_body: `answer ${mark}` })
    .where('delivery_id', 'in', deliveries)
    .execute()
}

// All that is stored of a lead, as text.
async function readLeads(
  { app: { db } }: AdminSite,
  leads: readonly MarkedLead[],
): Promise<Map<number, string>> {
  const read = new Map<number, string>()
  for (const { id } of leads) {
    const of = { id }
    const rows = [
      await db.selectFrom('form_submissions').selectAll().where('id', '=', of.id).execute(),
      await db.selectFrom('submission_notes').selectAll().where('submission_id', '=', of.id).execute(),
      await db.selectFrom('uploads').selectAll().where('submission_id', '=', of.id).execute(),
      await db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('submission_id', '=', of.id)
        .orderBy('id')
        .execute(),
    ]
    read.set(id, JSON.stringify(rows))
  }
  return read
}

interface RandomRequest {
  path: string
  init?: { method: 'POST'; body: URLSearchParams }
}

function randomRequest(world: World, random: () => number): RandomRequest {
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const id = () => String(random() < 0.7 ? any(world.leads).id : any(world.ids))
  const slug = () => any([...FORMS.map((form) => `${form}-0`), ...PLACES, 'locations', 'services', 'pages'])
  const route = any(
    random() < 0.6 ? adminRoutes.filter((one) => /inbox|deliveries|audit|^\/admin$/.test(one)) : adminRoutes,
  )
  const path = route.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name) =>
    /^(form|slug|type)$/.test(name) ? slug() : id(),
  )
  const words = ['boiler', 'zmark', 'leaks', 'answer', 'note', 'person', 'example', '']
  const query = new URLSearchParams({
    ...(random() < 0.5 && { q: any(words) }),
    ...(random() < 0.3 && { location: any([...PLACES, 'texas', 'usa', '']) }),
    ...(random() < 0.4 && { status: any(['new', 'read', 'archived', 'spam', 'all', 'failed', 'pending']) }),
    ...(random() < 0.2 && { form: any(['quotes-0', 'calls-0', 'waitlist']) }),
    ...(random() < 0.2 && { page: `${any(['older', 'newer'])}~2099-01-01T00:00:00.000Z~${id()}` }),
    ...(random() < 0.2 && {
      webhook: id(),
      user: '1',
      before: '9999',
      mode: any(['same_bytes', 'render_again']),
    }),
    ...(random() < 0.2 && { from: `/admin/inbox/${id()}` }),
  })
  if (random() < 0.6) return { path: `${path}?${query}` }
  const body = new URLSearchParams([
    ...[id(), id(), id()].map((one) => ['ids[]', one]),
    ...Object.entries(Object.fromEntries(query)),
    ['sorting', any(['read', 'unread', 'archive', 'restore', 'spam', 'not_spam'])],
    ['next', any(['/admin/inbox?status=all', '/admin', `/admin/inbox/${id()}`])],
    ['body', 'a new note'],
    ['confirmed', any(['yes', ''])],
    ['submission', id()],
    ['act', any(['preview', 'test', 'save'])],
  ])
  return { path, init: { method: 'POST', body } }
}

// Small and the same each time (mulberry32).
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
