import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, aVersionedPage, type Content } from '../../support/versioned-page.ts'

test('each version says what it changed, and which one visitors see', async (t) => {
  const { save, draft, list, set } = await aVersionedPage(t)
  const first = await save({ title: 'A', text: 'x' })
  const second = await save({ title: 'B', text: 'y' })
  const aside = await draft({ title: 'B', text: 'z' })
  const third = await save({ title: 'C', text: 'y' })
  const rowsWith = (...marks: string[]) => [
    [third, marks[0], true, 'title'],
    [aside, 'draft', false, 'text'],
    [second, marks[1], false, 'text,title'],
    [first, marks[2], false, 'first'],
  ]
  assert.deepEqual((await list()).rows, rowsWith('live', '', ''))
  for (const [shown, ...marks] of [
    ['none', 'pending', '', ''],
    ['unknown', 'current', '', ''],
    [{ until: at(1) }, 'pending', 'live', ''],
    [{ until: at(0) }, 'pending', '', 'live'],
  ] as const) {
    set({ shown })
    assert.deepEqual((await list()).rows, rowsWith(...marks), JSON.stringify(shown))
  }
})

test('a long list goes on, and compares across its pages', async (t) => {
  const { save, list } = await aVersionedPage(t)
  const ids: number[] = []
  for (let count = 0; count < 27; count++) ids.push(await save({ title: String(count) }))
  const { rows, older } = await list()
  assert.deepEqual([rows.length, older, rows.at(-1)?.[3]], [25, ids[2], 'title'])
  const rest = await list(`?before=${older}`)
  assert.deepEqual(rest, {
    rows: [
      [ids[1], '', false, 'title'],
      [ids[0], '', false, 'first'],
    ],
    older: undefined,
  })
})

test('a list of just one page has no other', async (t) => {
  const { save, draft, list } = await aVersionedPage(t)
  await save({ title: 'A', text: 'x' })
  await draft({ title: 'B', text: 'y' })
  for (let count = 0; count < 23; count++) await save({ title: String(count), text: 'x' })
  assert.equal((await list()).older, undefined)
  for (let count = 0; count < 2; count++) await save({ title: String(count), text: 'x' })
  const { rows, older } = await list()
  // The first version is two pages away: the draft between them doesn’t count.
  assert.deepEqual([rows.length, rows.at(-1)?.[3], older], [25, 'title', rows.at(-1)?.[0]])
})

test('content that changed along with something else is in no version', async (t) => {
  const { save, list, set } = await aVersionedPage(t)
  const id = await save({ title: 'A' })
  set({ now: { title: 'B' } })
  assert.deepEqual((await list()).rows, [[id, '', false, 'first']])
})

test('a draft is not the current content, and is restored as a whole', async (t) => {
  const { save, draft, compare } = await aVersionedPage(t)
  const saved = await save({ title: 'A' })
  const { isCurrent, sides } = await compare(await draft({ title: 'A' }))
  assert.deepEqual([isCurrent, sides], [false, [{ versionId: saved, keys: new Set() }, undefined]])
})

test('a part of something lists the versions that changed it, with the mark of those that did not', async (t) => {
  const part = (before: unknown, after: unknown) =>
    (before as Content).title === (after as Content).title ? [] : ['title']
  const { save, list, set } = await aVersionedPage(t, { isPart: true, listLabels: part })
  const first = await save({ title: 'A', text: 'x' })
  const second = await save({ title: 'B', text: 'x' })
  await save({ title: 'B', text: 'y' })
  assert.deepEqual((await list()).rows, [
    [second, 'live', true, 'title'],
    [first, '', false, 'first'],
  ])
  set({ shown: { until: at(1) } })
  assert.deepEqual((await list()).rows[0], [second, 'live', true, 'title'])
})

test('the list of a part reads on until it has found what changed it', async (t) => {
  const part = (before: unknown, after: unknown) =>
    (before as Content).title === (after as Content).title ? [] : ['title']
  const { save, draft, list, set } = await aVersionedPage(t, { isPart: true, listLabels: part })
  const first = await save({ title: 'A', text: 'x' })
  const second = await save({ title: 'B', text: 'x' })
  await draft({ title: 'B', text: 'aside' })
  const aside = await draft({ title: 'C', text: 'x' })
  for (let count = 0; count < 57; count++) await save({ title: 'B', text: String(count) })
  const listed = [
    [aside, 'draft', false, 'title'],
    [second, 'live', true, 'title'],
    [first, '', false, 'first'],
  ]
  assert.deepEqual(await list(), { rows: listed, older: undefined })
  // The live version counts more than a later one, and marks the one that it left as it was.
  set({ shown: { until: at(30) } })
  assert.deepEqual((await list()).rows, listed)
  for (let count = 0; count < 30; count++) await save({ title: String(count) })
  const { rows, older } = await list()
  assert.ok(rows.length >= 25 && rows.length < 33 && older !== undefined)
})

test('a mark is passed on to the next page of a part’s list', async (t) => {
  const part = (before: unknown, after: unknown) =>
    (before as Content).title === (after as Content).title ? [] : ['title']
  const { save, list, set } = await aVersionedPage(t, { isPart: true, listLabels: part })
  const first = await save({ title: 'A' })
  const second = await save({ title: 'B' })
  const saveTexts = async (title: string, texts: number) => {
    for (let count = 0; count < texts; count++) await save({ title, text: String(count) })
  }
  const saveTitles = async (titles: number) => {
    for (let count = 0; count < titles; count++) await save({ title: String(count) })
  }
  await saveTexts('B', 20)
  await saveTitles(5)
  await saveTexts('4', 5)
  await saveTitles(20)
  set({ shown: { until: at(10) } })
  const { rows, older } = await list()
  assert.deepEqual([rows.length, rows.filter(([, mark]) => mark === 'live')], [25, []])
  assert.deepEqual(await list(`?before=${older}`), {
    rows: [
      [second, 'live', false, 'title'],
      [first, '', false, 'first'],
    ],
    older: undefined,
  })
})

test('a draft that changed nothing is not listed once it is a former one', async (t) => {
  const { save, draft, list } = await aVersionedPage(t)
  await save({ title: 'A' })
  await draft({ title: 'B' })
  await draft({ title: 'B' })
  const last = await draft({ title: 'B' })
  const marks = (await list()).rows.map(([id, mark, , changed]) => [id === last, mark, changed])
  assert.deepEqual(marks, [
    [true, 'draft', ''],
    [false, 'former_draft', 'title'],
    [false, 'live', 'first'],
  ])
})

test('a scheduled draft says when it goes live', async (t) => {
  const { save, draft, compare } = await aVersionedPage(t, { findSchedule: async () => at(59) })
  await save({ title: 'A' })
  assert.deepEqual((await compare(await draft({ title: 'B' }))).mark, { kind: 'scheduled', at: at(59) })
})

test('a version is compared with the previous one, the current one, or what a restore changes', async (t) => {
  const { save, compare } = await aVersionedPage(t)
  const first = await save({ title: 'A', text: 'x' })
  const second = await save({ title: 'B', text: 'x' })
  const third = await save({ title: 'B', text: 'y' })
  const view = async (id: number, asked?: string) => {
    const { view: shown, changes, sides, isCurrent } = await compare(id, asked)
    const texts = changes.map(({ label, before, after }) => `${label} ${before}>${after}`)
    return [
      shown,
      isCurrent,
      texts.join(', '),
      ...sides.map((side) => side && [side.versionId, ...side.keys].join()),
    ]
  }
  assert.deepEqual(await view(second), [
    'previous',
    false,
    'title A>B',
    `${first},text,title`,
    `${second},text`,
  ])
  assert.deepEqual(await view(second, 'x'), await view(second))
  assert.deepEqual(await view(second, 'current'), ['current', false, 'text x>y', `${second},text`, undefined])
  assert.deepEqual(await view(first, 'restore'), [
    'restore',
    false,
    'text y>x, title B>A',
    undefined,
    undefined,
  ])
  // What is current can’t be restored.
  assert.deepEqual((await view(third, 'restore')).slice(0, 3), ['previous', true, 'text x>y'])
  assert.deepEqual((await view(first)).slice(2, 4), ['text >x, title >A', undefined])
})

test('a restore says if it discards a draft', async (t) => {
  const page = await aVersionedPage(t, { replacesDraft: true })
  const first = await page.save({ title: 'A' })
  await page.save({ title: 'B' })
  const endsDraft = async (id: number, view?: string) => (await page.compare(id, view)).endsDraft
  assert.equal(await endsDraft(first, 'restore'), false)
  const draft = await page.draft({ title: 'C' })
  assert.deepEqual([await endsDraft(first, 'restore'), await endsDraft(first)], [true, false])
  assert.equal(await endsDraft(draft, 'restore'), false)
})
