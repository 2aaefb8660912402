import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askForState, showState } from '#src/admin/publish/show-live-state.ts'

const STATE = { isPublishing: true, isLooking: false, phase: 'Comparing', left: '3 pages', done: 1, total: 4 }

/** The marked elements of a page, which count how often their text is written. */
function aPage(names: readonly string[] = ['bar', 'phase', 'left']) {
  const written: string[] = []
  const attributes = new Set<string>()
  const elements = new Map<string, object>()
  for (const name of names) {
    let text = ''
    elements.set(`[data-${name}]`, {
      ...{ max: 1, value: undefined, removeAttribute: (attribute: string) => attributes.add(attribute) },
      get textContent() {
        return text
      },
      set textContent(next: string) {
        text = next
        written.push(`${name}: ${next}`)
      },
    })
  }
  const root = { querySelector: (selector: string) => elements.get(selector) ?? null }
  return { root: root as unknown as ParentNode, bar: elements.get('[data-bar]'), written, attributes }
}

test('the progress of a publish is shown, and a status is written only if it differs', () => {
  const { root, bar, written, attributes } = aPage()
  showState(root, STATE)
  assert.partialDeepStrictEqual(bar, { max: 4, value: 1 })
  assert.deepEqual(written, ['phase: Comparing', 'left: 3 pages'])
  // Screen readers announce what is written again.
  showState(root, { ...STATE, done: 2 })
  assert.deepEqual([(bar as { value: number }).value, written.length], [2, 2])
  assert.equal(attributes.size, 0)
})

test('a step of unknown length has a bar without a value', () => {
  const { root, bar, attributes } = aPage()
  showState(root, { ...STATE, total: 0 })
  assert.deepEqual([...attributes], ['value'])
  assert.equal((bar as { max: number }).max, 1)
  const none = aPage([])
  showState(none.root, STATE)
  assert.deepEqual(none.written, [])
})

test('the state is asked for as JSON, and unknown without a connection', async (t) => {
  const asked: unknown[] = []
  const answers = [Response.json(STATE), new Response('', { status: 500 })]
  t.mock.method(globalThis, 'fetch', async (path: string, { headers }: RequestInit) => {
    asked.push([path, headers])
    const answer = answers.shift()
    if (!answer) throw new Error('offline')
    return answer
  })
  assert.deepEqual(await askForState('/admin/publish/progress'), STATE)
  assert.deepEqual([await askForState('/a'), await askForState('/a')], [undefined, undefined])
  assert.deepEqual(asked[0], ['/admin/publish/progress', { accept: 'application/json' }])
})
