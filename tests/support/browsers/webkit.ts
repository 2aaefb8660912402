import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { atEnd } from '../at-end.ts'
import { temporaryFolder } from '../database.ts'
import { freePort, waitFor } from '../running-site.ts'
import type { BrowserTab } from './tab.ts'
import { startSession } from './webdriver-session.ts'

/** WebKitGTK, Safari's engine: its MiniBrowser on a virtual screen, over WebDriver. */
export async function openWebKit(t: TestContext, { reducedMotion = false } = {}): Promise<BrowserTab> {
  const display = await startScreen(t)
  const port = await freePort()
  const server = `http://127.0.0.1:${port}`
  const environment = { DISPLAY: display, NO_AT_BRIDGE: '1', GDK_BACKEND: 'x11' }
  const XDG_CONFIG_HOME = writeGtkSettings(temporaryFolder(t), reducedMotion)
  const driver = spawn('WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], {
    env: { ...process.env, ...environment, XDG_CONFIG_HOME },
    stdio: 'ignore',
  })
  endWith(t, driver)
  await waitFor(() => isUp(server))
  const session = await startSession(server)
  atEnd(t, () => session.close())
  return session
}

// WebKitGTK needs a screen. The server chooses a free display number and prints it.
async function startScreen(t: TestContext): Promise<string> {
  const options = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const screen = spawn('Xvfb', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  endWith(t, screen)
  const [number] = await once(screen.stdio[3] as Readable, 'data')
  return `:${String(number).trim()}`
}

// WebKit takes `prefers-reduced-motion` from GTK's animation setting.
function writeGtkSettings(folder: string, reducedMotion: boolean): string {
  mkdirSync(join(folder, 'gtk-3.0'))
  const settings = `[Settings]\ngtk-enable-animations=${reducedMotion ? 0 : 1}\n`
  writeFileSync(join(folder, 'gtk-3.0', 'settings.ini'), settings)
  return folder
}

function endWith(t: TestContext, child: ChildProcess) {
  atEnd(t, async () => {
    const isGone = child.exitCode !== null || child.signalCode !== null
    const exited = isGone ? undefined : once(child, 'exit')
    child.kill()
    await exited
  })
}

async function isUp(server: string): Promise<boolean> {
  const answer = await fetch(`${server}/status`).catch(() => undefined)
  return answer?.ok ?? false
}
