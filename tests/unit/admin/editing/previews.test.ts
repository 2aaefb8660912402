import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { showPart } from '#src/admin/editing/preview/follow-focus.ts'
import { keepPreview, takePreview } from '#src/admin/editing/preview/kept-preview.ts'
import { morph } from '#src/admin/editing/preview/morph.ts'
import { fitFrame, showInFrame } from '#src/admin/editing/preview/preview-frame.ts'
import { openDocument } from '../../../support/pages/open-document.ts'

function bodyOf(t: TestContext, html: string): HTMLElement {
  return openDocument(t, html).body
}

test('a page turns into another, and what is equal stays the same element', (t) => {
  const shown = bodyOf(t, '<main><h1>One</h1><details open><p>Same</p></details><p class="a">Text</p></main>')
  const [heading, details, last] = shown.querySelectorAll('h1, details, p.a')
  const next = bodyOf(t, '<main><h1>Two</h1><details open><p>Same</p></details><p class="b">Text</p></main>')
  const wanted = next.innerHTML
  morph(shown, next)
  assert.equal(shown.innerHTML, wanted)
  assert.deepEqual(
    [heading, details, last].map((element) => element?.isConnected),
    [false, true, false],
  )
})

test('a part with other children, attributes, or text of its own is replaced as a whole', (t) => {
  for (const [before, after] of [
    ['<ul><li>a</li></ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<ul><li>a</li><li>b</li></ul>', '<ul><li>a</li></ul>'],
    ['<ul class="a"><li>a</li></ul>', '<ul class="b"><li>a</li></ul>'],
    ['<p>Call <b>us</b></p>', '<p>Phone <b>us</b></p>'],
    ['<p>Call <b>us</b> now</p>', '<p>Call  now<b>us</b></p>'],
  ] as const) {
    const shown = bodyOf(t, `<main>${before}</main>`)
    const inner = shown.querySelector('main > *')
    morph(shown, bodyOf(t, `<main>${after}</main>`))
    assert.equal(shown.innerHTML, `<main>${after}</main>`)
    assert.equal(inner?.isConnected, false, before)
  }
})

/** A frame that shows a page, and where it scrolled to. The parts of the page are 1000 px apart. */
function aFrame(t: TestContext, html: string) {
  const { ownerDocument: shown } = bodyOf(t, html)
  const scrolled: number[] = []
  const all = [...shown.querySelectorAll('*')]
  for (const [at, one] of all.entries())
    Object.assign(one, { getBoundingClientRect: () => ({ top: 1_000 * at, bottom: 1_000 * at + 50 }) })
  const view = { innerHeight: 900, scrollBy: ({ top }: { top: number }) => scrolled.push(top) }
  const frame = { contentDocument: shown, contentWindow: view } as unknown as HTMLIFrameElement
  /** Returns the part that a field scrolls to. */
  const partFor = (field: Element) => {
    scrolled.length = 0
    showPart(frame, field)
    const [top] = scrolled
    return top === undefined ? undefined : all[(top + 300) / 1_000]?.id
  }
  return { shown, frame, all, scrolled, partFor }
}

const PAGE = `<header><i>Phone</i></header>
  <main><p id="a">We  repair\nroofs</p><p id="b">Call us at night</p><p id="c">Roof <b id="d">tiles</b></p>
    <img src="/_astro/picture-a99999.webp"><img id="van" src="/_astro/picture-abc123.webp"></main>
  <footer><p id="foot">Open on Sunday</p><i>Monday</i><p id="days">Monday - Friday</p></footer>`

test('a preview scrolls to the line at the cursor, or to the nearest one that it shows', (t) => {
  const { partFor } = aFrame(t, PAGE)
  const [field] = bodyOf(t, '<textarea></textarea>').children as unknown as [HTMLTextAreaElement]
  const partAt = (value: string, cursor = 0) => {
    field.value = value
    field.setSelectionRange(cursor, cursor)
    return partFor(field)
  }
  assert.equal(partAt('We repair roofs\nCall us at night'), 'a')
  assert.equal(partAt('We repair roofs\nCall us at night', 20), 'b')
  assert.equal(partAt('We repair roofs\n\nNot shown yet', 18), 'a')
  assert.equal(partAt('Not shown yet\n\nCall us at night'), 'b')
  // Without Markdown and placeholders, and with the page's spaces.
  for (const [text, part] of [
    ['## We *repair*', 'a'],
    ['- Call us at night', 'b'],
    ['12. Call us at night', 'b'],
    ['[tiles](/tiles "We repair roofs")', 'd'],
    ['{{place}} `tiles`', 'd'],
    ['> Call us at | never', 'b'],
    ['  - Call us at night', 'b'],
    ['Sun', 'foot'],
    ['Monday - Friday', 'days'],
  ] as const)
    assert.equal(partAt(text), part, text)
  // Shorter texts appear in too many places.
  for (const text of ['Ro', '', '**', 'Not shown yet']) assert.equal(partAt(text), undefined, text)
  const others = Array(8).fill('Not shown yet')
  assert.equal(partAt([...others.slice(1), 'Call us at night'].join('\n')), 'b')
  assert.equal(partAt([...others, 'Call us at night'].join('\n')), undefined)
  assert.equal(partAt(`${'\n'.repeat(9)}Call us at night`), 'b', 'after empty lines')
})

test('a preview scrolls to a text of the same row or list, the ones before it first', (t) => {
  const { partFor } = aFrame(t, PAGE)
  const input = (id: string, value: string, type = 'text') =>
    `<input id="${id}" type="${type}" value="${value}">`
  const form = bodyOf(
    t,
    `<fieldset>
      <div data-row>${input('before', 'We repair')}${input('middle', '')}${input('tick', 'Call us at night', 'checkbox')}${input('after', 'tiles')}</div>
      <div data-row>${input('empty', '')}<textarea id="next">Call us at night</textarea></div>
    </fieldset><p><input id="alone" value="x"></p>`,
  )
  const from = (id: string) => partFor(form.querySelector(`#${id}`) as Element)
  assert.deepEqual(['before', 'middle', 'tick', 'after', 'empty', 'next', 'alone'].map(from), [
    ...['a', 'a', 'a', 'd', 'b', 'b', undefined],
  ])
  ;(form.querySelector('#next') as HTMLTextAreaElement).value = ''
  // Of the whole list, the nearest text before the field.
  assert.equal(from('empty'), 'd')
})

test('a preview scrolls to the picture of a field', (t) => {
  const { partFor } = aFrame(t, PAGE)
  const fieldOf = (image: string) =>
    bodyOf(t, `<div data-picture-input>${image}<input value="We repair roofs"></div>`).querySelector(
      'input',
    ) as Element
  assert.equal(partFor(fieldOf('<img src="/admin/pictures/3/image?width=320&of=abc123">')), 'van')
  for (const image of ['<img src="/x?of=ffff">', '<img src="/x">', '<img hidden src="/x?of=abc123">', ''])
    assert.equal(partFor(fieldOf(image)), 'a', image)
})

test('a preview opens a closed question, and stays where it is if the part is in view', (t) => {
  const { shown, frame, all, scrolled } = aFrame(
    t,
    '<main><details id="q"><summary>How long?</summary><p>An hour</p></details></main>',
  )
  const field = bodyOf(t, '<input value="How long?">').querySelector('input') as HTMLInputElement
  const details = shown.querySelector('details') as HTMLDetailsElement
  showPart(frame, field)
  assert.equal(details.open, false, 'the question itself is visible')
  field.value = 'An hour'
  showPart(frame, field)
  assert.equal(details.open, true)
  const answer = all.at(-1) as Element
  const movesAt = (top: number) => {
    scrolled.length = 0
    answer.getBoundingClientRect = () => ({ top, bottom: top + 50 }) as DOMRect
    showPart(frame, field)
    return scrolled
  }
  assert.deepEqual(
    [0, 850].map((top) => movesAt(top).length),
    [0, 0],
  )
  assert.deepEqual([...movesAt(-1)], [-301])
  assert.deepEqual([...movesAt(851)], [551])
  // Nothing is shown yet.
  showPart({ contentDocument: null, contentWindow: null } as HTMLIFrameElement, field)
})

test('a preview is kept for its page, once', (t) => {
  openDocument(t)
  const preview = { address: '/admin/entries/pages/3/preview', html: '<p>a</p>', top: 40 }
  keepPreview(preview)
  assert.deepEqual(takePreview(preview.address), preview)
  assert.equal(takePreview(preview.address), undefined)
  keepPreview(preview)
  assert.equal(takePreview('/admin/settings/preview'), undefined)
  assert.equal(takePreview(preview.address), undefined)
  sessionStorage.setItem = () => {
    throw new Error('full')
  }
  keepPreview(preview)
})

/** A frame, which loads a page when its source is set. */
function anEmptyFrame(t: TestContext) {
  openDocument(t)
  const loaded: string[] = []
  const frame = Object.assign(new EventTarget(), { contentDocument: null as Document | null })
  Object.defineProperty(frame, 'srcdoc', {
    set(html: string) {
      loaded.push(html)
      frame.contentDocument = openDocument(t)
      frame.contentDocument.documentElement.innerHTML = html
      frame.dispatchEvent(new Event('load'))
    },
  })
  const show = (html: string) => showInFrame(frame as unknown as HTMLIFrameElement, html)
  return { frame, loaded, show }
}

const withStyle = (href: string, body: string) =>
  `<html><head><link rel="stylesheet" href="${href}"></head><body>${body}</body></html>`

test('a preview loads a page once, and then changes it, unless the styles differ', (t) => {
  const { frame, loaded, show } = anEmptyFrame(t)
  show(withStyle('/a.css', '<main><p>One</p></main>'))
  const main = frame.contentDocument?.querySelector('main')
  show(withStyle('/a.css', '<main><p>Two</p></main>'))
  assert.equal(loaded.length, 1)
  assert.equal(frame.contentDocument?.body.textContent.trim(), 'Two')
  assert.ok(main?.isConnected)
  show(withStyle('/a.css', '<main><p>Three</p></main>'))
  assert.ok(main?.isConnected)
  show(withStyle('/b.css', '<main><p>Four</p></main>'))
  assert.equal(loaded.length, 2)
  assert.equal(frame.contentDocument?.body.textContent.trim(), 'Four')
})

test('links and buttons of a preview lead nowhere, except within the page', (t) => {
  const { frame, show } = anEmptyFrame(t)
  show(
    '<a id="out" href="/services"><b>Out</b></a><a id="in" href="#faq">In</a><button>Send</button><p>Text</p>',
  )
  const isStopped = (selector: string) => {
    const view = frame.contentDocument?.defaultView as unknown as typeof globalThis
    const event = new view.Event('click', { bubbles: true, cancelable: true })
    frame.contentDocument?.querySelector(selector)?.dispatchEvent(event)
    return event.defaultPrevented
  }
  assert.deepEqual(['#out b', '#in', 'button', 'p'].map(isStopped), [true, false, true, false])
})

test('a frame is as wide as a desktop, scaled to its pane, or as the pane', () => {
  const styleIn = (clientWidth: number, isDesktop: boolean) => {
    const frame = { style: { width: 'x', height: 'x', transform: 'x' } }
    fitFrame(
      frame as unknown as HTMLIFrameElement,
      { clientWidth, clientHeight: 800 } as HTMLElement,
      isDesktop,
    )
    return Object.values(frame.style)
  }
  assert.deepEqual(styleIn(600, true), ['1200px', '1600px', 'scale(0.5)'])
  assert.deepEqual(styleIn(1_600, true), ['1600px', '800px', ''])
  assert.deepEqual(styleIn(600, false), ['', '', ''])
})
