import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Failure } from '../src/lib/messages.ts'
import { accountTexts } from '../src/messages/command-line/accounts.ts'

/** Reads text from a terminal without echoing it. Throws without a terminal, or if the user cancels. */
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
