import type { Limits, Role } from '#src/auth/roles/role.ts'
import { addUpLeads } from '#src/submissions/results/add-up-leads.ts'
import { addTraffic } from '#src/submissions/results/traffic-store.ts'
import type { AdminSite } from '../admin.ts'
import { addPlaces } from '../small-site.ts'
import { type StoredLead, storeFormWithLeads } from '../stored/leads.ts'

const PLACES = ['austin', 'round-rock', 'dallas', 'ohio'] as const
const FORMS = ['quotes', 'calls'] as const

/** Finds the marks in a text. */
export const MARKS = /Zmark[a-z]+\d+end/g

export interface MarkedLead {
  id: number
  place: string | null
  form: string
  /** Appears in everything stored about the lead, and in no request. */
  mark: string
}

/** Two forms with leads from every place and from none, with marks that show where a byte comes from. */
export interface MarkedLeads {
  leads: MarkedLead[]
  placeIds: Map<string, number>
  formIds: Map<string, number>
}

/** An account that may see some of the leads. */
export interface LimitedAccount {
  name: string
  role: Role
  limits: Partial<Limits>
}

export function limitedAccounts({ placeIds, formIds }: MarkedLeads): LimitedAccount[] {
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

// Written out: Round Rock is below Austin; Austin and Dallas are below Texas.
const BELOW: Readonly<Record<string, readonly string[]>> = {
  austin: ['austin', 'round-rock'],
  dallas: ['dallas'],
  texas: ['austin', 'round-rock', 'dallas'],
}

/** Returns the leads that an account must not see. */
export function leadsBeyond(
  { leads, placeIds, formIds }: MarkedLeads,
  { role, limits }: LimitedAccount,
): MarkedLead[] {
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

export async function storeMarkedLeads(site: AdminSite): Promise<MarkedLeads> {
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
  const world: MarkedLeads = {
    leads: [],
    placeIds: new Map(terms.map(({ id, slug }) => [slug, id])),
    formIds: new Map(),
  }
  for (const form of FORMS)
    for (const pair of [PLACES.slice(0, 2), PLACES.slice(2), [null, 'austin']])
      await storePair(site, world, { form, places: [pair[0] ?? null, pair[1] ?? null] })
  await settle(site)
  return world
}

/**
 * Stores another lead that no account limited to places or calls may see: from the same person as theirs, with a
 * note, a failed email, deliveries, views, and phone taps.
 */
export async function storeLeadOfNobody(site: AdminSite, world: MarkedLeads): Promise<void> {
  const { db } = site.app
  const [mark, day] = [`Zmarknobody${world.leads.length}end`, new Date().toISOString().slice(0, 10)]
  const [form, place] = ['quotes', 'ohio'] as const
  const [formId, placeId] = [world.formIds.get(form) as number, world.placeIds.get(place) as number]
  const lead = { ...answersOf(mark), form_id: formId, form_version: 1, ...placeColumns(place, placeId) }
  const { id } = await db
    .insertInto('form_submissions')
    .values(lead)
    .returning('id')
    .executeTakeFirstOrThrow()
  world.leads.push({ id, place, form, mark })
  const [of, created_at] = [{ submission_id: id, form_id: formId }, new Date().toISOString()]
  await db.insertInto('submission_notes').values({ submission_id: id, user_email: 'a', body: mark }).execute()
  await db
    .insertInto('notification_mails')
    .values({ ...of, recipient: `${mark}@mail.example`, created_at, status: 'failed', attempt_count: 1 })
    .execute()
  const { webhook_id } = await db
    .selectFrom('webhook_deliveries')
    .select('webhook_id')
    .where('form_id', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  for (const status of ['failed', 'skipped'] as const)
    await db
      .insertInto('webhook_deliveries')
      .values({ ...of, webhook_id, status, created_at, finished_at: created_at })
      .execute()
  const visit = { day, service: '=ac-repair', source: 'ads:google', page: '/services/ac-repair/ohio' }
  await addTraffic(db, [{ ...visit, place: `#${placeId}`, views: 41, taps: 7 }])
  await settle(site)
}

// Waits until nothing is left to index or add up.
async function settle({ app: { db, searchIndex } }: AdminSite): Promise<void> {
  await searchIndex.catchUp(1_000)
  await addUpLeads(db)
}

interface Pair {
  form: string
  places: [string | null, string | null]
}

async function storePair(site: AdminSite, world: MarkedLeads, { form, places }: Pair): Promise<void> {
  const number = world.leads.length
  const stored = await storeFormWithLeads(site.app, `${form}-${number}`)
  const formId = world.formIds.get(form) ?? stored.form.id
  world.formIds.set(form, formId)
  for (const [index, lead] of stored.leads.entries()) {
    const place = places[index] ?? null
    const mark = `Zmark${form}${number + index}end`
    world.leads.push({ id: lead.id, place, form, mark })
    await markLead(site, lead, { formId, place, placeId: world.placeIds.get(place ?? '') ?? null, mark })
  }
}

interface Marking {
  formId: number
  place: string | null
  placeId: number | null
  mark: string
}

async function markLead(
  { app: { db } }: AdminSite,
  { id }: StoredLead,
  { formId, place, placeId, mark }: Marking,
): Promise<void> {
  await db
    .updateTable('form_submissions')
    .set({ ...answersOf(mark), form_id: formId, ...placeColumns(place, placeId) })
    .where('id', '=', id)
    .execute()
  const recipient = `${mark}@mail.example`
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
  for (const table of ['notification_mails', 'reply_mails'] as const)
    await db.updateTable(table).set({ recipient, form_id: formId }).where('submission_id', '=', id).execute()
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

function answersOf(mark: string) {
  const contact = { full_name: `${mark} Person`, email: `${mark}@example.com`, phone: '+1 512 555 0100' }
  return { data_json: JSON.stringify({ ...contact, text: 'boiler leaks' }) }
}

function placeColumns(place: string | null, placeId: number | null) {
  const location_path = place === null ? null : `usa/${place}`
  return { location_slug: place, location_id: placeId, location_path, location_name: place }
}

/** Returns everything stored about leads, as text. */
export async function readLeads(
  { app: { db } }: AdminSite,
  leads: readonly MarkedLead[],
): Promise<Map<number, string>> {
  const read = new Map<number, string>()
  for (const { id } of leads) {
    const rows = [
      await db.selectFrom('form_submissions').selectAll().where('id', '=', id).execute(),
      await db.selectFrom('submission_notes').selectAll().where('submission_id', '=', id).execute(),
      await db.selectFrom('uploads').selectAll().where('submission_id', '=', id).execute(),
      await db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('submission_id', '=', id)
        .orderBy('id')
        .execute(),
    ]
    read.set(id, JSON.stringify(rows))
  }
  return read
}
