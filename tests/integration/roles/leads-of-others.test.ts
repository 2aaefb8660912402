import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ROUTES } from '#src/admin/access/routes.ts'
import { can } from '#src/auth/roles/capabilities.ts'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { type KnownRequests, learnRequests, routeOf } from '../../support/requests/known-requests.ts'
import {
  type LimitedAccount,
  leadsBeyond,
  limitedAccounts,
  MARKS,
  type MarkedLeads,
  readLeads,
  storeLeadOfNobody,
  storeMarkedLeads,
} from '../../support/requests/marked-leads.ts'
import { anyOf, randomFrom } from '../../support/requests/random.ts'
import { printFigure, soakLength } from '../../support/soak.ts'

const REQUESTS = Number(process.env.LEAD_REQUESTS ?? soakLength(500, 100_000))
const SEED = Number(process.env.LEAD_SEED ?? 22)
/** Managers delete what they see; then everything is stored again in another database. */
const REQUESTS_PER_SITE = 2_500
/** One of so many pages that are read must stay the same when a lead beyond the limits comes in. */
const COMPARED = 5
const MOST_TRIES = 4

interface Seen {
  statuses: Map<number, number>
  routes: Set<string>
  compared: number
}

test('no answer to an account with limits reveals or counts a lead beyond them, and no request changes one', async (t) => {
  const seen: Seen = { statuses: new Map(), routes: new Set(), compared: 0 }
  const random = randomFrom(SEED)
  for (let left = REQUESTS; left > 0; left -= REQUESTS_PER_SITE)
    await askSite(t, { seen, random, requests: Math.min(left, REQUESTS_PER_SITE), number: REQUESTS - left })
  const statuses = [...seen.statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  printFigure(
    t,
    `${REQUESTS} requests, ${seen.compared} pages compared, ${seen.routes.size} routes answered: ${statuses}`,
  )
  assert.ok((seen.statuses.get(200) ?? 0) > REQUESTS / 6, `pages are seen at all: ${statuses}`)
  assert.ok(seen.compared > REQUESTS / 50)
})

interface Asking {
  seen: Seen
  random: () => number
  requests: number
  number: number
}

async function askSite(t: TestContext, { seen, random, requests, number }: Asking): Promise<void> {
  const site = await startAdmin(t)
  const world = await storeMarkedLeads(site)
  const people = limitedAccounts(world)
  const ofNobody = world.leads.filter((lead) => people.every((one) => leadsBeyond(world, one).includes(lead)))
  assert.ok(ofNobody.length > 0)
  const known = withoutMarks(await learnRequests(await addPerson(site, 'owner')))
  // The owner's look marked leads as read.
  const before = await readLeads(site, ofNobody)
  const asking = { site, world, known, random, seen, sessions: new Map<string, Person>() }
  for (let index = 0; index < requests; index += 1)
    await askOnce(asking, people[index % people.length] as LimitedAccount, `seed ${SEED}, ${number + index}`)
  assert.deepEqual(await readLeads(site, ofNobody), before)
}

interface Site {
  site: AdminSite
  world: MarkedLeads
  known: KnownRequests
  random: () => number
  seen: Seen
  /** By the name of the account. */
  sessions: Map<string, Person>
}

async function askOnce(
  { site, world, known, random, seen, sessions }: Site,
  one: LimitedAccount,
  place: string,
): Promise<void> {
  const person = sessions.get(one.name) ?? (await addPerson(site, one.role, one.limits))
  sessions.set(one.name, person)
  const { path, init } = randomRequest({ world, known, one, random })
  const said = `${one.name}: ${init?.method ?? 'GET'} ${path} ${init?.body ?? ''} (${place})`
  const answer = await ask(person, { path, init })
  assertNothingBeyond(answer, { world, one, said })
  seen.statuses.set(answer.status, (seen.statuses.get(answer.status) ?? 0) + 1)
  if (answer.status < 400) seen.routes.add(routeOf(path) ?? '')
  if (answer.status === 200 && !init && random() < 1 / COMPARED) {
    await assertSameWithMoreLeads(site, { world, one, person, path, said })
    seen.compared += 1
  }
  // Some requests end the own session, or remove each other's account.
  if (answer.status === 401 || answer.location?.startsWith('/admin/login')) sessions.delete(one.name)
}

interface Answer {
  status: number
  location: string | null
  text: string
}

async function ask(
  person: Person,
  { path, init }: { path: string; init?: RequestInit | undefined },
): Promise<Answer> {
  const response = await askAgain(() => person.fetch(path, init), `${init?.method ?? 'GET'} ${path}`)
  const text = `${JSON.stringify([...response.headers])}${await response.text()}`
  return { status: response.status, location: response.headers.get('location'), text }
}

// Connections that were kept may close just when they are used again.
async function askAgain(send: () => Promise<Response>, said: string): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await send().catch((error: Error) => error)
    if (response instanceof Response) return response
    if (tries === MOST_TRIES) throw new Error(`No answer to ${said}`, { cause: response })
  }
}

interface Asked {
  world: MarkedLeads
  one: LimitedAccount
  said: string
}

function assertNothingBeyond({ status, text }: Answer, { world, one, said }: Asked): void {
  // Looks for marks once: there are hundreds of leads.
  const marks = new Set(text.match(MARKS))
  if (marks.size > 0)
    for (const { mark } of leadsBeyond(world, one))
      assert.ok(!marks.has(mark), `${mark} in the answer to ${said}`)
  assert.ok(status < 500, `${status} to ${said}`)
}

// What the same page says must not depend on leads beyond the limits. What this program does in the background meanwhile may
// change a page once, but not three times.
async function assertSameWithMoreLeads(
  site: AdminSite,
  { world, one, person, path, said }: Asked & { person: Person; path: string },
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const before = lastingPart((await ask(person, { path })).text)
    await storeLeadOfNobody(site, world)
    const answer = await ask(person, { path })
    assertNothingBeyond(answer, { world, one, said })
    const after = lastingPart(answer.text)
    if (before === after) return
    if (tries === 3)
      assert.fail(`a lead beyond the limits changes the answer to ${said}: ${firstOf(before, after)}`)
  }
}

// The place where two texts begin to differ.
function firstOf(before: string, after: string): string {
  const at = before.split('').findIndex((character, index) => character !== after[index])
  const around = (text: string) => text.slice(Math.max(0, at - 100), at + 200)
  return `${around(before)}\n---\n${around(after)}`
}

// Without what is new in each answer.
function lastingPart(text: string): string {
  return (
    text
      // Search words are sealed anew in each link.
      .replace(/\bwords=v1\.[\w-]+/g, '')
      .replace(/'nonce-[^']+'|nonce="[^"]+"/g, '')
      .replace(/\["(?:date|etag|content-length|server-timing)","[^"]*"\],?/g, '')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
  )
}

interface Choosing {
  world: MarkedLeads
  known: KnownRequests
  one: LimitedAccount
  random: () => number
}

const WORDS = ['boiler', 'zmark', 'zmarkq', 'leaks', 'answer', 'note', 'person', 'example', '512 555', '']
const OTHER_VALUES = ['', 'all', 'yes', '1', 'won', 'spam', 'ohio', 'austin', '/admin/inbox?status=all']
const PARAMETERS = ['ohio', 'locations', 'services', 'quotes-0', 'calls-6', 'export.csv']
function randomRequest({ world, known, one, random }: Choosing): { path: string; init?: RequestInit } {
  const any = <Item>(items: readonly Item[]): Item => anyOf(items, random)
  const id = () => String(random() < 0.5 ? any(world.leads).id : 1 + Math.floor(random() * 60))
  const changed = (text: string) => text.replace(/\d+/g, (number) => (random() < 0.25 ? id() : number))
  const value = (text: string) =>
    random() < 0.6 ? text : /^\d+$/.test(text) ? id() : any([...WORDS, ...OTHER_VALUES])
  const holder = { role: one.role, limits: { ...NO_LIMITS, ...one.limits } }
  const isPost = random() < 0.4
  const routes = Object.entries(ROUTES).filter(([, { allows, allowsPost, posts }]) => {
    const needed = isPost ? allowsPost : allows
    return needed !== 'nothing' && can(holder, needed) && (posts || !isPost)
  })
  const route = random() < 0.9 ? any(routes)[0] : any(Object.keys(ROUTES))
  const made = route.replace(/\[[.\w]+\]/g, () => (random() < 0.7 ? id() : any(PARAMETERS)))
  if (!isPost) {
    const links = known.links.get(route)
    return { path: withQuery(changed(links && random() < 0.8 ? any(links) : made)) }
  }
  const posted = any(known.posts.get(route) ?? [{ path: made, fields: [] }])
  const body = new URLSearchParams(posted.fields.map(([name, text]) => [name, value(text)]))
  for (const name of ['ids[]', 'ids[]', 'submission', 'webhook']) if (random() < 0.5) body.append(name, id())
  return { path: changed(posted.path), init: { method: 'POST', body } }

  function withQuery(path: string): string {
    const [pathname = '', query = ''] = path.split('?')
    const changed = [...new URLSearchParams(query)].map(([name, text]) => [name, value(text)])
    // Whatever any form of the admin searches or filters by.
    const others = [...(known.links.get(route) ?? [])].flatMap((link) => [
      ...new URLSearchParams(link.split('?')[1] ?? '').keys(),
    ])
    if (others.length > 0 && random() < 0.3)
      changed.push([any(others), any([...WORDS, ...OTHER_VALUES, id()])])
    return changed.length > 0 ? `${pathname}?${new URLSearchParams(changed)}` : pathname
  }
}

// A request that has the mark of a lead gets it back.
function withoutMarks({ links, posts }: KnownRequests): KnownRequests {
  const bare = (text: string) => text.replace(/zmark\w+/gi, 'zmark')
  return {
    links: new Map([...links].map(([route, all]) => [route, all.map(bare)])),
    posts: new Map(
      [...posts].map(([route, all]) => [
        route,
        all.map(({ path, fields }) => ({
          path: bare(path),
          fields: fields.map(([name, text]): [string, string] => [bare(name), bare(text)]),
        })),
      ]),
    ),
  }
}

test('lists, counts, pages, files, deliveries, and exports contain all leads within the limits', async (t) => {
  const site = await startAdmin(t)
  const world = await storeMarkedLeads(site)
  // Editors read no leads at all.
  for (const one of limitedAccounts(world).filter(({ role }) => role !== 'editor')) {
    const person = await addPerson(site, one.role, one.limits)
    const within = world.leads.filter((lead) => !leadsBeyond(world, one).includes(lead))
    assert.ok(within.length > 0 && within.length < world.leads.length, one.name)
    const list = await (await person.fetch('/admin/inbox?status=all')).text()
    for (const { id, mark } of within) {
      assert.ok(list.includes(mark), `${mark} in the list of ${one.name}`)
      assert.equal((await person.fetch(`/admin/inbox/${id}`)).status, 200)
    }
    for (const { id, mark } of leadsBeyond(world, one)) {
      assert.ok(!list.includes(mark), `${mark} in the list of ${one.name}`)
      assert.equal((await person.fetch(`/admin/inbox/${id}`)).status, 404)
    }
    if (one.role !== 'manager') continue
    const exported = JSON.parse(await (await person.fetch('/admin/inbox/export.json?status=all')).text())
    const ids = exported.map((row: { id: number }) => row.id)
    assert.deepEqual(ids.toSorted(), within.map(({ id }) => id).toSorted(), one.name)
  }
})
