import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { askForPassword } from '../../../scripts/ask-for-password.ts'
import { temporaryFolder } from '../../support/database.ts'
import { runScript } from '../../support/running-site.ts'

const PASSWORD = 'correct horse battery'

test('admin:create makes administrators, gives a new password, and says what is wrong otherwise', async (t) => {
  const dataDir = temporaryFolder(t)
  const create = (password: string | undefined, ...given: string[]) =>
    runScript('admin-create.ts', {
      dataDir,
      environment: password === undefined ? {} : { ADMIN_PASSWORD: password },
      arguments: given,
    })
  const { code, output } = await create(PASSWORD, '--email', 'ann')
  assert.deepEqual([code, /Usage: npm run admin:create/.test(output)], [2, true])
  const ann = ['--email', ' Ann@Example.com']
  const unasked = await create(undefined, ...ann)
  assert.deepEqual([unasked.code, /Set ADMIN_PASSWORD, or run this/.test(unasked.output)], [1, true])
  const weak = await create('short', ...ann)
  assert.deepEqual([weak.code, /at least 12 characters/i.test(weak.output)], [1, true])

  assert.match((await create(PASSWORD, ...ann)).output, /^ann@example\.com can sign in now\.$/m)
  assert.match(
    (await create(PASSWORD, '--email', 'bob@example.com')).output,
    /^bob@example\.com can sign in/m,
  )
  const again = await create(`another ${PASSWORD}`, ...ann)
  assert.match(again.output, /^ann@example\.com has the new password, and is signed out everywhere\.$/m)
  assert.doesNotMatch(again.output, /battery/)
})

test('a password is asked for without showing it, and giving up changes nothing', async () => {
  const ask = (typed: string) => {
    const input = Object.assign(new PassThrough(), { isTTY: true })
    let shown = ''
    const output = new PassThrough().on('data', (chunk) => (shown += chunk))
    const answer = askForPassword(input, output)
    input.write(typed)
    return answer.catch((error: Error) => error.message).then((password) => ({ password, shown }))
  }
  assert.deepEqual(await ask(`${PASSWORD}\r`), { password: PASSWORD, shown: 'Password: \n' })
  const CONTROL_C = '\u0003'
  const CONTROL_D = '\u0004'
  for (const key of [CONTROL_C, CONTROL_D])
    assert.match((await ask(key)).password, /No password was typed, nothing was changed|Aborted/)
})
