import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Failure } from '../src/lib/messages.ts'
import { accountTexts } from '../src/messages/command-line/accounts.ts'

/** What is typed on a terminal, without showing it. Throws where nobody can type, or who is asked gives up. */
export async function askForPassword(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  output: NodeJS.WritableStream,
): Promise<string> {
  if (!input.isTTY) throw new Failure(accountTexts, 'noTerminal')
  output.write(accountTexts.askPassword)
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input, output: silence, terminal: true })
  const givenUp = once(terminal, 'close').then(() => {
    throw new Failure(accountTexts, 'noPassword')
  })
  try {
    return await Promise.race([terminal.question(''), givenUp])
  } finally {
    givenUp.catch(() => {})
    terminal.close()
    output.write('\n')
  }
}
