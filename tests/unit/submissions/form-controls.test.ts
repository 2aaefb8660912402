import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readControls } from '#src/submissions/intake/form-controls.ts'

test('contract §5 `_id` is a UUID in any case of letters; anything else was not sent', () => {
  const id = '0198c3e0-7a3b-7c5d-9e1f-2a3b4c5d6e7f'
  assert.equal(readControls({ _id: id }).id, id)
  assert.equal(readControls({ _id: id.toUpperCase() }).id, id)
  for (const _id of ['7', `${id}0`, ` ${id}`, `{${id}}`, 7, null, [id], undefined]) {
    assert.equal(readControls({ _id }).id, undefined)
  }
})

test('contract §5 `_t` is milliseconds since 1970 or ISO 8601; anything else was not sent', () => {
  const time = Date.parse('2026-11-20T10:00:00.000Z')
  const moments = [time, String(time), '2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00+01:00']
  for (const _t of moments) assert.equal(readControls({ _t }).openedAt, time, String(_t))
  const wrong = ['', 'now', '-1', '1.5', '1e15', '2026-11-20', '2026-99-99T99:99:99Z', null, true, undefined]
  for (const _t of wrong) assert.equal(readControls({ _t }).openedAt, undefined, String(_t))
})

test('`_v` is a whole number from 1; anything else was not sent', () => {
  assert.deepEqual([readControls({ _v: '3' }).version, readControls({ _v: 12 }).version], [3, 12])
  for (const _v of [
    '0',
    '-1',
    '1.5',
    ' 1',
    '1e3',
    '9999999999',
    'x',
    '',
    null,
    undefined,
    ['1', '2'],
    true,
  ]) {
    assert.equal(readControls({ _v }).version, undefined, String(_v))
  }
})

test('contract §5 `_page` is a path of at most 512 characters; anything else was not sent', () => {
  assert.equal(readControls({ _page: '/services/ac-repair/austin' }).page, '/services/ac-repair/austin')
  assert.equal(readControls({ _page: '/a?utm=x#form' }).page, '/a')
  assert.equal(readControls({ _page: '/' }).page, '/')
  assert.equal(readControls({ _page: `/${'a'.repeat(511)}` }).page?.length, 512)
  const wrong = [
    '',
    'services',
    'https://example.com/',
    '/a b',
    '/a\n',
    '/a\u0000',
    '/\\a',
    '//evil.example/admin/login',
    '/\ud83d',
    7,
    ['/a'],
  ]
  for (const _page of [...wrong, `/${'a'.repeat(512)}`]) {
    assert.equal(readControls({ _page }).page, undefined, JSON.stringify(_page))
  }
})
