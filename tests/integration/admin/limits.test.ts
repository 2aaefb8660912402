import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '../../support/admin.ts'
import { submit } from '../webhooks/webhook-world.ts'

const KIB = 1024
const x = (length: number) => 'x'.repeat(length)

test('admin inputs are accepted up to their limits and refused beyond', async (t) => {
  const site = await startAdmin(t)

  for (const [what, most, path, headers] of [
    ['of a stranger', 64 * KIB, '/admin/login', { cookie: '' }],
    ['of a user', 512 * KIB, '/admin/theme', {}],
  ] as const)
    await t.test(`a post ${what} has at most ${most} bytes`, async () => {
      const status = async (bytes: number) => {
        const type = { 'content-type': 'application/x-www-form-urlencoded' }
        const body = 'email='.padEnd(bytes, 'x')
        return (await site.fetch(path, { method: 'POST', body, headers: { ...type, ...headers } })).status
      }
      assert.notEqual(await status(most), 413)
      assert.equal(await status(most + 1), 413)
    })

  await t.test('a post has at most 10,000 fields', async () => {
    const status = async (fields: number) =>
      (await site.post('/admin/theme', { a: Array(fields).fill('') })).status
    assert.notEqual(await status(10_000), 413)
    assert.equal(await status(10_001), 413)
  })

  await t.test('a note has 1 to 4,000 characters', async () => {
    const id = await submit(site.app.db)
    for (const length of [0, 1, 4_000, 4_001])
      await site.post(`/admin/inbox/${id}/notes`, { body: x(length) })
    const notes = await site.app.db.selectFrom('submission_notes').select('body').execute()
    assert.deepEqual(
      notes.map(({ body }) => body.length),
      [1, 4_000],
    )
  })

  await t.test('an entry has at most 200 characters of title and 200,000 of text', async () => {
    const statuses: number[] = []
    for (const [slug, title, body] of [
      ['both', x(200), x(200_000)],
      ['title', x(201), ''],
      ['text', 'A page', x(200_001)],
    ] as const)
      statuses.push(
        (await site.post('/admin/entries/pages/new', { slug, title, body, status: 'draft' })).status,
      )
    assert.deepEqual(statuses, [303, 422, 422])
  })
  await t.test('an entry has at most 1,000 former addresses', async () => {
    const statuses: number[] = []
    for (const count of [1_000, 1_001]) {
      const redirect_from = Array.from({ length: count }, (_, index) => `/old-${count}-${index}`).join('\n')
      const entry = { slug: `moved-${count}`, title: 'A page', status: 'draft', redirect_from }
      statuses.push((await site.post('/admin/entries/pages/new', entry)).status)
    }
    assert.deepEqual(statuses, [303, 422])
  })
})
