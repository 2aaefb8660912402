import { readConfig } from '../src/config.ts'
import { examine } from '../src/doctor/examine.ts'
import { checksFailed } from '../src/messages/command-line/doctor.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand } from './command-line.ts'

const MARKS = { ok: '✓', warning: '!', failed: '✗' } as const
const NAME_WIDTH = 12

await runCommand({ usage: usages.doctor, options: {} }, async () => {
  const findings = await examine(readConfig(undefined, { isReadOnly: true }))
  for (const { check, state, says } of findings)
    console.log(`${MARKS[state]} ${check.padEnd(NAME_WIDTH)} ${says}`)
  const broken = findings.filter(({ state }) => state === 'failed')
  if (broken.length > 0) throw new Error(checksFailed(broken.length, findings.length))
})
