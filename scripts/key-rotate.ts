import { readConfig } from '../src/config.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { finishRotation, rotateKey } from '../src/secret-keys/rotate-key.ts'
import { runCommand } from './command-line.ts'
import { withExistingDatabase } from './open-database.ts'

const OPTIONS = { finish: { type: 'boolean', default: false } } as const

await runCommand({ usage: usages.keyRotate, options: OPTIONS }, async ({ finish }) => {
  const config = readConfig(undefined, { isReadOnly: true })
  await withExistingDatabase(config.databaseUrl, async (db) => {
    const means = { db, config, now: new Date(), tell: (line: string) => console.log(line) }
    await (finish ? finishRotation(means) : rotateKey(means))
  })
})
