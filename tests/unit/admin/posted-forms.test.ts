import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiveReplay } from '#src/admin/deliveries/replay-form.ts'
import { chooseSlug, NEW_FORM, toDefinition } from '#src/admin/forms/new-form.ts'
import { readTrial } from '#src/admin/forms/read-trial.ts'
import { handOn, receivePerson } from '#src/admin/privacy/person-form.ts'
import { localInputOf } from '#src/lib/locale/local-time.ts'

/** A page that gets this post; without one, it is only opened. */
function aPage(body?: Record<string, string> | FormData) {
  const post = body && { method: 'POST', body: body instanceof FormData ? body : new URLSearchParams(body) }
  const locals = { app: { siteLocale: { current: () => ({ country: 'US' }) } } }
  return { request: new Request('http://localhost', post), response: { status: 200 }, locals } as never
}

test('deliveries are resent from a time, in the site’s zone, by default a day ago', async () => {
  const timeZone = 'America/Chicago'
  const receive = async (body?: Record<string, string>) => {
    const usual = { from: '2026-11-20T04:00', until: '', status: 'lost', mode: 'same_bytes' }
    const form = await receiveReplay(aPage(body && { ...usual, ...body }), { timeZone })
    return { ...form, faults: Object.entries(form.errors).map(([field, [text]]) => `${field}: ${text}`) }
  }
  const { values } = await receive()
  const dayAgo = localInputOf(new Date(Date.now() - 24 * 3_600_000).toISOString(), timeZone)
  assert.ok(String(values.from) <= dayAgo && String(values.from) > '2026', String(values.from))
  const input = { from: '2026-11-20T10:00:00.000Z', until: undefined, status: undefined, mode: 'same_bytes' }
  assert.deepEqual((await receive({})).input, input)
  assert.deepEqual(
    (await receive({ until: '2026-11-20T05:00', status: 'delivered', mode: 'render_again' })).input,
    {
      ...{ from: input.from, until: '2026-11-20T11:00:00.000Z', status: 'delivered', mode: 'render_again' },
    },
  )
  for (const [body, fault] of [
    [{ from: '' }, 'from: Enter a date and time.'],
    [{ until: 'soon' }, 'until: Enter a date and time.'],
    [{ until: '2026-11-20T04:00' }, 'until: Enter a time after the start.'],
  ] as const)
    assert.deepEqual((await receive(body)).faults, [fault])
  assert.equal((await receive({ status: 'all' })).faults.length, 1)
})

test('a person is searched by what identifies one, and mistakes are shown at their fields', async () => {
  const receive = async (body?: Record<string, string>) => {
    const { form, person } = await receivePerson(aPage(body))
    return { person, faults: Object.keys(form.errors) }
  }
  const none = { email: '', phone: '', text: '' }
  assert.deepEqual(await receive(), { person: undefined, faults: [] })
  const { person, faults } = await receive({ ...none, email: ' Ann@Example.com ', deletes_mentions: 'on' })
  assert.deepEqual(faults, [])
  assert.partialDeepStrictEqual(person, { email: 'ann@example.com', phone: null, deletesMentions: true })
  for (const [body, field] of [
    [{}, ''],
    [{ email: 'ann' }, 'email'],
    [{ phone: '12345' }, 'phone'],
    [{ text: 'ab' }, 'text'],
    [{ text: 'x'.repeat(201) }, 'text'],
  ] as const)
    assert.deepEqual(await receive({ ...none, ...body }), { person: undefined, faults: [field] })
  assert.deepEqual(handOn({ email: 'a@b.example', phone: '', text: ['x'], password: 'secret' }), [
    ['email', 'a@b.example'],
  ])
})

test('a new form is a draft with a hidden spam trap', () => {
  const read = (body: object) => NEW_FORM.parse({ name: ' Get a quote ', ...body })
  assert.deepEqual([chooseSlug(read({})), chooseSlug(read({ slug: 'quote' }))], ['get-a-quote', 'quote'])
  const contact = toDefinition(read({ beginning: 'contact' }))
  assert.deepEqual([contact.name, contact.description, contact.status], ['Get a quote', null, 'draft'])
  assert.deepEqual(contact.settings, { honeypot: 'company_website' })
  assert.deepEqual(
    (contact.fields as { name: string }[]).map(({ name }) => name),
    ['full_name', 'email', 'message'],
  )
  assert.deepEqual(toDefinition(read({ beginning: 'nothing' })).fields, [])
  assert.equal(NEW_FORM.safeParse({ name: '' }).success, false)
})

test('a trial of a form reads texts and the facts of files, never their bytes', async () => {
  const posted = new FormData()
  for (const [name, value] of [
    ['a', '1'],
    ['a', '2'],
    ['__proto__', 'x'],
  ] as const)
    posted.append(name, value)
  posted.append('cv', new File(['hello'], 'cv.txt', { type: 'text/plain' }))
  posted.append('cv', new File(['hi'], 'b'))
  // A file input that was left empty.
  posted.append('photo', new File([], ''))
  const { body, files } = await readTrial(new Request('http://localhost', { method: 'POST', body: posted }))
  assert.deepEqual([body.a, Object.getOwnPropertyDescriptor(body, '__proto__')?.value], [['1', '2'], ['x']])
  assert.deepEqual(Object.keys(files), ['cv'])
  assert.deepEqual(files.cv?.[0], { name: 'cv.txt', size: 5, type: 'text/plain' })
  assert.equal(files.cv?.[1]?.size, 2)
})
