import type { TestContext } from 'node:test'
import { Window } from 'happy-dom'
import { atEnd } from '../at-end.ts'

const NAMES = [
  ...['document', 'sessionStorage', 'DOMParser', 'Node', 'NodeFilter'],
  ...['HTMLButtonElement', 'HTMLInputElement', 'HTMLSelectElement', 'HTMLTextAreaElement'],
] as const

/** Opens a page for scripts of the browser: until the test ends, its document and its classes are the global ones. */
export function openDocument(t: TestContext, html = ''): Document {
  const window = new Window()
  window.document.body.innerHTML = html
  // Happy DOM doesn't know it.
  Object.defineProperty(window.HTMLOptionElement.prototype, 'defaultSelected', {
    configurable: true,
    get(this: Element) {
      return this.hasAttribute('selected')
    },
  })
  const before = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const name of NAMES)
    Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true })
  atEnd(t, async () => {
    for (const [name, own] of before) {
      Reflect.deleteProperty(globalThis, name)
      if (own) Object.defineProperty(globalThis, name, own)
    }
    await window.happyDOM.close()
  })
  return window.document as unknown as Document
}
