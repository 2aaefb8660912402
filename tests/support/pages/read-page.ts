import assert from 'node:assert/strict'
import {
  type BoundFunctions,
  type ByRoleOptions,
  configure,
  type queries,
  within,
} from '@testing-library/dom'
import { HTMLSelectElement, PropertySymbol, Window } from 'happy-dom'

/** A part of a page, queried by role, label, and text, the way its readers find things. */
interface PagePart extends BoundFunctions<typeof queries> {
  element: HTMLElement
  /** Its text with single spaces. */
  words: string
  /** Returns the only part with that role and name. */
  part(role: string, options?: ByRoleOptions): PagePart
  /** Returns the only control with that label, which may be marked as optional. */
  control(label: string): HTMLInputElement
  /** Returns the value of the only control with that label; for a checkbox, whether it is ticked. */
  valueOf(label: string): string | boolean
  /** Returns why the only control with that label is invalid; undefined if it isn't. */
  mistakeOf(label: string): string | undefined
  /** Returns the description of a term. */
  fact(term: string): PagePart
}

export interface Page extends PagePart {
  /** The part outside the main content, such as the admin's menu. */
  whole: PagePart
}

// An error says what was not found in which text; the markup of a whole page adds nothing.
configure({
  getElementError: (message, container) =>
    new Error(`${message?.split('\n\n')[0]}\n${wordsOf(container).slice(0, 1_500)}`),
})

// Its parser runs no scripts and loads no files. The usual console keeps every error about an iframe, and with it the
// page, for as long as the process runs.
const window = new Window({ console: Object.assign(Object.create(console), { error() {} }) })
const ownNames = new Set(Object.keys(window))

// For every option it parses, Happy DOM goes through all earlier ones: a list of time zones takes a second.
type Choose = (this: HTMLSelectElement, option?: unknown) => void
const { updateSelectedness } = PropertySymbol
const selects = HTMLSelectElement.prototype as unknown as Record<symbol, Choose>
const choose = selects[updateSelectedness] as Choose
let parsing: Set<HTMLSelectElement> | undefined
selects[updateSelectedness] = function (option) {
  if (parsing) parsing.add(this)
  else choose.call(this, option)
}

/** Parses a page's HTML; queries search the main content, so that menu items never match. */
export function readPage(html: string): Page {
  const page = parse(html)
  // Happy DOM selects the second option instead of the marked one.
  for (const option of page.querySelectorAll<HTMLOptionElement>('option[selected]')) option.selected = true
  const whole = partOf(page.body)
  return Object.assign(whole.part('main'), { whole })
}

function parse(html: string): Document {
  const lists = new Set<HTMLSelectElement>()
  parsing = lists
  forgetElements()
  const page = new window.DOMParser().parseFromString(html, 'text/html')
  parsing = undefined
  for (const select of lists) choose.call(select)
  return page as unknown as Document
}

// Elements with an ID become properties of the window, and custom elements wait in it to be defined. Each would keep
// its whole page in memory.
function forgetElements() {
  for (const name of Object.keys(window)) if (!ownNames.has(name)) Reflect.deleteProperty(window, name)
  window.customElements[PropertySymbol.callbacks].clear()
}

/** Returns the page in a response; fails on any other status. */
export async function readAnswer(response: Response, status = 200): Promise<Page> {
  const html = await response.text()
  assert.equal(response.status, status, html.slice(0, 300))
  return readPage(html)
}

/** Returns the version that the page's form was filled from. */
export function basedOn({ element }: Page): string {
  const version = element.querySelector('[name=based_on]')?.getAttribute('value')
  assert.ok(version, 'The page has no based_on')
  return version
}

/** Returns an element's text with single spaces. */
export function wordsOf({ textContent }: Element): string {
  return (textContent ?? '').replace(/\s+/g, ' ').trim()
}

function partOf(element: HTMLElement): PagePart {
  const found = within(element)
  const control = (label: string) =>
    found.getByLabelText<HTMLInputElement>((text) => text.replace(/\(optional\)$/, '').trim() === label)
  return {
    ...found,
    element,
    get words() {
      return wordsOf(element)
    },
    part: (role, options) => partOf(found.getByRole(role, options)),
    control,
    valueOf(label) {
      const { type, checked, value } = control(label)
      return type === 'checkbox' || type === 'radio' ? checked : value
    },
    mistakeOf(label) {
      const refused = control(label)
      if (refused.getAttribute('aria-invalid') !== 'true') return undefined
      // The help text comes before the error.
      const [id = ''] = refused.getAttribute('aria-describedby')?.split(' ').slice(-1) ?? []
      const reason = element.ownerDocument.getElementById(id)
      assert.ok(reason, `${label} is refused without a reason`)
      return wordsOf(reason)
    },
    fact(term) {
      const value = found.getByText(term, { selector: 'dt' }).nextElementSibling
      assert.ok(value, `Nothing stands next to ${term}`)
      return partOf(value as HTMLElement)
    },
  }
}
