import assert from 'node:assert/strict'
import {
  type BoundFunctions,
  type ByRoleOptions,
  configure,
  type queries,
  within,
} from '@testing-library/dom'
import { HTMLSelectElement, PropertySymbol, Window } from 'happy-dom'

/** A part of a page, queried by role, label and text as its readers find things. */
interface PagePart extends BoundFunctions<typeof queries> {
  element: HTMLElement
  /** Its words with single spaces between them. */
  words: string
  /** The only part of that role and name in it. */
  part(role: string, options?: ByRoleOptions): PagePart
  /** The only control with that label, which may be an optional one. */
  control(label: string): HTMLInputElement
  /** The value of the only control with that label; of a checkbox whether it is ticked. */
  valueOf(label: string): string | boolean
  /** Why the only control with that label is refused; undefined for one that is not. */
  mistakeOf(label: string): string | undefined
  /** What stands next to a term. */
  fact(term: string): PagePart
}

export interface Page extends PagePart {
  /** What is beside the main content: the menu of the admin, for one. */
  whole: PagePart
}

// An error says what was not found and among which words; the markup of a whole page says no more.
configure({
  getElementError: (message, container) =>
    new Error(`${message?.split('\n\n')[0]}\n${wordsOf(container).slice(0, 1_500)}`),
})

// Its parser runs no script and loads no file.
const { DOMParser } = new Window()

// With every option that it parses, Happy DOM looks at all that came before: a list of time zones takes a second.
type Choose = (this: HTMLSelectElement, option?: unknown) => void
const { updateSelectedness } = PropertySymbol
const selects = HTMLSelectElement.prototype as unknown as Record<symbol, Choose>
const choose = selects[updateSelectedness] as Choose
let parsing: Set<HTMLSelectElement> | undefined
selects[updateSelectedness] = function (option) {
  if (parsing) parsing.add(this)
  else choose.call(this, option)
}

/** Reads a page's HTML; its queries see the main content, so no word of the menu answers them. */
export function readPage(html: string): Page {
  const page = parse(html)
  // Happy DOM chooses the second option in place of the one that is marked.
  for (const option of page.querySelectorAll<HTMLOptionElement>('option[selected]')) option.selected = true
  const whole = partOf(page.body)
  return Object.assign(whole.part('main'), { whole })
}

function parse(html: string): Document {
  const lists = new Set<HTMLSelectElement>()
  parsing = lists
  const page = new DOMParser().parseFromString(html, 'text/html')
  parsing = undefined
  for (const select of lists) choose.call(select)
  return page as unknown as Document
}

/** The page that a request is answered with; fails on any other status. */
export async function readAnswer(response: Response, status = 200): Promise<Page> {
  const html = await response.text()
  assert.equal(response.status, status, html.slice(0, 300))
  return readPage(html)
}

/** The version that the form of a page was filled from. */
export function basedOn({ element }: Page): string {
  const version = element.querySelector('[name=based_on]')?.getAttribute('value')
  assert.ok(version, 'The page has no based_on')
  return version
}

/** The words of an element with single spaces between them. */
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
      // What always helps comes before what is wrong now.
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
