import { type BrowserTab, type Key, scrollTo, WINDOW_HEIGHT, waitForFonts } from './tab.ts'

// W3C WebDriver, §12: the key that marks a reference to an element.
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
// §17.4.2: code points for keys that type nothing.
const KEY_CODES: Record<Key, string> = { Tab: '\uE004', Enter: '\uE007', ' ': ' ', Escape: '\uE00C' }

type Reference = Record<typeof ELEMENT, string>

/** A session with a WebDriver server (W3C WebDriver 2), with one window. */
export async function startSession(server: string): Promise<BrowserTab & { close(): Promise<void> }> {
  const { sessionId } = await call<{ sessionId: string }>(server, 'POST', '/session', {
    capabilities: { alwaysMatch: {} },
  })
  const send = <T>(command: string, body: object) =>
    call<T>(server, 'POST', `/session/${sessionId}/${command}`, body)
  const run = <T>(script: string, args: unknown[]) => send<T>('execute/sync', { script, args })
  const tap = (keys: string) =>
    send('actions', { actions: [{ type: 'key', id: 'keys', actions: taps(keys) }] })

  async function find(selector: string): Promise<string> {
    const element = await send<Reference>('element', { using: 'css selector', value: selector })
    await run(`(${scrollTo})(arguments[0])`, [element])
    return element[ELEMENT]
  }

  const sendKeys = async (selector: string, text: string) =>
    void (await send(`element/${await find(selector)}/value`, { text }))

  return {
    async open(url) {
      await send('url', { url })
      await run(`return (${waitForFonts})()`, [])
    },
    setWidth: async (width) => void (await send('window/rect', { width, height: WINDOW_HEIGHT })),
    run: (code, argument) => run(`return (${code})(arguments[0])`, [argument]),
    click: async (selector) => send(`element/${await find(selector)}/click`, {}),
    type: sendKeys,
    choose: sendKeys,
    press: async (key) => void (await tap(KEY_CODES[key])),
    write: async (text) => void (await tap(text)),
    close: () => call(server, 'DELETE', `/session/${sessionId}`),
  }
}

function taps(keys: string) {
  return [...keys].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])
}

async function call<T>(server: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(server + path, { method, body: body ? JSON.stringify(body) : null })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
  return value
}
