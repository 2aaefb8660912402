import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { contentOf, currentValue, savedValue } from '#src/admin/editing/form-content.ts'
import { forgetOldTexts, keptTexts } from '#src/admin/editing/kept-text/kept-text.ts'
import { openDocument } from '../../../support/pages/open-document.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-11-20T10:00:00.000Z')

function openForm(t: TestContext, html: string): HTMLFormElement {
  return openDocument(t, `<form>${html}</form>`).forms[0] as HTMLFormElement
}

test('each kind of field counts as changed until its saved value is back', (t) => {
  const fields = {
    text: '<input name="x" value="a">',
    area: '<textarea name="x">a</textarea>',
    tick: '<input name="x" type="checkbox" value="on" checked>',
    radio: '<input name="x" type="radio" value="a"><input name="x" type="radio" value="b" checked>',
    one: '<select name="x"><option value="a"></option><option value="b" selected></option></select>',
    usual: '<select name="x"><option value="b"></option><option value="a"></option></select>',
    many: '<select name="x" multiple><option value="a"></option><option value="b"></option></select>',
  }
  const changes: Record<keyof typeof fields, object> = {
    ...{ text: { value: 'b' }, area: { value: 'b' }, tick: { checked: false } },
    ...{ radio: { checked: true }, one: { selectedIndex: 0 }, usual: { selectedIndex: 1 } },
    many: { selectedIndex: 0 },
  }
  for (const [kind, html] of Object.entries(fields)) {
    const saved = contentOf(openForm(t, html), savedValue)
    assert.equal(contentOf(openForm(t, html), currentValue), saved, kind)
    const form = openForm(t, html)
    Object.assign(form.elements.item(0) as object, changes[kind as keyof typeof fields])
    assert.notEqual(contentOf(form, currentValue), saved, kind)
    assert.equal(contentOf(form, savedValue), saved, kind)
  }
})

test('texts that could be confused are different contents', (t) => {
  const contentWith = (html: string) => contentOf(openForm(t, html), currentValue)
  assert.notEqual(contentWith('<input name="a" value="b">'), contentWith('<input name="b" value="a">'))
  assert.notEqual(
    contentWith('<input name="a" value="b"><input name="c" value="">'),
    contentWith('<input name="a" value=""><input name="c" value="b">'),
  )
})

test('fields without a name, buttons, and invalid saved values are no change', (t) => {
  const form = openForm(
    t,
    '<input value="typed"><button name="act" value="save"></button><fieldset name="f"></fieldset>',
  )
  assert.equal(contentOf(form, currentValue), '[["f",null]]')
  assert.equal(contentOf(form, savedValue), '[["f",null]]')
  // As browsers show them.
  const invalid = openForm(
    t,
    '<input type="date" name="at" value="soon"><input type="color" name="c" value="x">',
  )
  assert.equal(contentOf(invalid, savedValue), '[["at",""],["c","#000000"]]')
})

/** A browser's storage, which may be full. */
function aStorage(kept: Record<string, string> = {}, { isFull = false } = {}) {
  const storage = Object.create({
    getItem: (key: string) => kept[key] ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new Error('full')
      storage[key] = kept[key] = value
    },
    removeItem(key: string) {
      delete kept[key]
      delete storage[key]
    },
  })
  return Object.assign(storage, kept) as Storage
}

test('typed text is kept for one form until it is saved', () => {
  const [local, session] = [aStorage(), aStorage()]
  const about = keptTexts('4:/admin/entries/pages/3', { local, session })
  const other = keptTexts('4:/admin/entries/pages/4', { local, session })
  about.keep([['title', 'Typed']], NOW)
  assert.deepEqual(about.find(), { at: NOW, fields: [['title', 'Typed']] })
  assert.equal(other.find(), undefined)
  // Nothing was sent.
  other.forgetSent()
  assert.ok(about.find())
  about.markSent()
  about.clearSent()
  other.forgetSent()
  assert.ok(about.find())
  about.markSent()
  other.forgetSent()
  assert.equal(about.find(), undefined)
  other.keep([], NOW)
  other.forget()
  assert.equal(other.find(), undefined)
})

test('only texts of this program are forgotten or found, if they can be read', () => {
  const session = aStorage({ 'signpost:sent': 'theme' })
  const local = aStorage({ theme: 'dark' })
  keptTexts('a', { local, session }).forgetSent()
  assert.equal(local.getItem('theme'), 'dark')
  for (const broken of ['{', 'null', '1', '{"at":1}', '{"at":"1","fields":[]}', '{"at":1,"fields":{}}'])
    assert.equal(
      keptTexts('a', { local: aStorage({ 'signpost:unsaved:a': broken }), session }).find(),
      undefined,
    )
})

test('a full storage keeps nothing, and stops nothing', () => {
  const full = aStorage({}, { isFull: true })
  const text = keptTexts('a', { local: full, session: full })
  text.keep([['title', 'Typed']], NOW)
  text.markSent()
  assert.equal(text.find(), undefined)
})

test('text is forgotten after 30 days', () => {
  const textAt = (at: number) => JSON.stringify({ at, fields: [] })
  const local = aStorage({
    ...{ theme: '{}', 'signpost:unsaved:broken': '{' },
    'signpost:unsaved:old': textAt(NOW - 30 * DAY_MS - 1),
    'signpost:unsaved:recent': textAt(NOW - 30 * DAY_MS),
  })
  forgetOldTexts(local, NOW)
  assert.deepEqual(Object.keys(local), ['theme', 'signpost:unsaved:recent'])
})
