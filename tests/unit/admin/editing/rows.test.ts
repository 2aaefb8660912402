import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findPlace, placeOf } from '#src/admin/editing/focus-place.ts'
import { renumber } from '#src/admin/editing/renumber.ts'
import { isEmptyRow, rowsOf } from '#src/admin/editing/row-list.ts'
import { openDocument } from '../../../support/pages/open-document.ts'

const row = (index: number, title: string, inside = '') =>
  `<li data-row id="row-${index}">
    <label for="f-steps.${index}.title">Step ${index + 1}</label>
    <input name="steps.${index}.title" id="f-steps.${index}.title" value="${title}">
    ${inside}<button name="act" value="up:steps.${index}">Up</button>
  </li>`

const list = (rows: string) =>
  `<fieldset data-rows="step" data-name="steps"><ol>${rows}</ol><button type="button">Add</button></fieldset>`

function openForm(t: TestContext, html: string) {
  const document = openDocument(t, `<form>${html}</form>`)
  const find = (selector: string) => {
    const found = document.querySelector<HTMLInputElement>(selector)
    assert.ok(found, selector)
    return found
  }
  return { find, form: document.forms[0] as HTMLFormElement }
}

test('the rows of a list are not those of the lists in it', (t) => {
  const inner = '<fieldset data-rows="part"><ol><li data-row id="inner"></li></ol></fieldset>'
  const { find } = openForm(t, list(row(0, 'One', inner) + row(1, 'Two')))
  assert.deepEqual(
    rowsOf(find('[data-name]')).map(({ id }) => id),
    ['row-0', 'row-1'],
  )
  assert.deepEqual(
    rowsOf(find('[data-rows=part]')).map(({ id }) => id),
    ['inner'],
  )
})

test('a row is empty until something is typed or ticked in it', (t) => {
  const { find } = openForm(
    t,
    '<div data-row><input name="a"><textarea name="b"></textarea><input type="checkbox" value="on"></div>',
  )
  const empty = find('[data-row]')
  assert.ok(isEmptyRow(empty))
  for (const [selector, change] of [
    ['input', { value: 'x' }],
    ['textarea', { value: 'x' }],
    ['[type=checkbox]', { checked: true }],
  ] as const) {
    const field = find(selector)
    const { value, checked } = field
    Object.assign(field, change)
    assert.ok(!isEmptyRow(empty), selector)
    Object.assign(field, { value, checked })
  }
})

test('a moved row takes the names, IDs, and labels of its new position', (t) => {
  const { find } = openForm(
    t,
    `<div data-row>
      <label for="f-steps.0.title">Step <b>1</b> of 10</label>
      <input name="steps.0.title" id="f-steps.0.title" aria-label="Title 1" aria-describedby="h-steps.0.title">
      <textarea name="more-steps.0.text" aria-label="10 or 1"></textarea>
      <select name="steps.count" aria-label="Size 21"></select>
      <fieldset data-name="steps.0.parts"><legend>1 part of step 1</legend><input name="steps.0.parts.0.name"></fieldset>
      <button aria-label="Move step 1 up" value="up:steps.0">Up</button>
      <output name="other.0.x" id="steps."></output>
    </div>`,
  )
  renumber(find('[data-row]'), { list: 'steps', from: 1, to: 3 })
  const input = find('input')
  assert.deepEqual(
    ['name', 'id', 'aria-label', 'aria-describedby'].map((name) => input.getAttribute(name)),
    ['steps.2.title', 'f-steps.2.title', 'Title 3', 'h-steps.2.title'],
  )
  assert.equal(find('label').getAttribute('for'), 'f-steps.2.title')
  assert.equal(find('label').textContent, 'Step 3 of 10')
  const area = find('textarea')
  assert.deepEqual(
    ['name', 'aria-label'].map((name) => area.getAttribute(name)),
    [...['more-steps.2.text', '10 or 3']],
  )
  assert.deepEqual(
    [find('select').name, find('select').getAttribute('aria-label')],
    ['steps.count', 'Size 21'],
  )
  assert.equal(find('fieldset').getAttribute('data-name'), 'steps.2.parts')
  // A label may start with a number of its own.
  assert.equal(find('legend').textContent, '1 part of step 3')
  assert.equal(find('fieldset input').name, 'steps.2.parts.0.name')
  // Buttons post their old position, which the server knows.
  assert.equal(find('button').getAttribute('aria-label'), 'Move step 1 up')
  assert.deepEqual([find('output').getAttribute('name'), find('output').id], ['other.0.x', 'steps.'])
})

test('a list of more than ten rows is numbered through', (t) => {
  const { find } = openForm(t, `<div>${row(11, 'Twelve')}</div>`)
  renumber(find('div'), { list: 'steps', from: 12, to: 10 })
  assert.equal(find('input').name, 'steps.9.title')
  assert.equal(find('label').textContent, 'Step 10')
})

test('the texts of a row that stays and the names of a list without a name are left alone', (t) => {
  const { find } = openForm(t, `<div>${row(0, 'One')}</div>`)
  const { innerHTML: before } = find('div')
  renumber(find('div'), { list: 'steps', from: 1, to: 1 })
  assert.equal(find('div').innerHTML, before)
  renumber(find('div'), { list: undefined, from: 1, to: 2 })
  assert.equal(find('input').name, 'steps.0.title')
  assert.equal(find('label').textContent, 'Step 2')
})

// Comparing elements themselves would print the whole window.
const shown = (element: Element | undefined) => element?.outerHTML

test('a control is found again after a save, which leaves out empty rows', (t) => {
  const more = '<input name="tags" id="first"><input name="tags" id="second"><input id="nameless">'
  const { find, form } = openForm(t, list(row(0, 'One') + row(1, '') + row(2, 'Three')) + more)
  const controls = ['row-2 input', 'row-2 button', 'row-0 input', 'row-1 input', 'add', 'second', 'nameless']
  const places = controls.map((name) =>
    placeOf(form, find(name === 'add' ? 'fieldset > button' : `#${name}`)),
  )
  const saved = openForm(t, list(row(0, 'One') + row(1, 'Three')) + more)
  const found = places.map((place) => shown(place && findPlace(saved.form, place)))
  // The second row is gone, so the focus goes to the button that adds one.
  const wanted = [
    '#row-1 input',
    '#row-1 button',
    '#row-0 input',
    ...Array(2).fill('fieldset > button'),
    '#second',
  ]
  assert.deepEqual(found, [...wanted.map((selector) => shown(saved.find(selector))), undefined])
})

test('a place in a form that lost its list or field is gone', (t) => {
  const { form, find } = openForm(
    t,
    `${list(row(0, 'One'))}<div data-rows="x"><i data-row><input value="y"></i></div>`,
  )
  const second = placeOf(form, find('i input'))
  assert.ok(second)
  assert.equal(shown(findPlace(form, second)), '<input value="y">')
  const other = openForm(t, list(row(0, 'One')))
  const places = [second, { list: 0, row: 4, control: 0 }, { name: 'title', nth: 0 }]
  assert.deepEqual(
    places.map((place) => shown(findPlace(other.form, place))),
    [undefined, undefined, undefined],
  )
})
