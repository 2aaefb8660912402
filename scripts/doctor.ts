import { readConfig } from '../src/config.ts'
import { examine } from '../src/doctor/examine.ts'
import { Failure } from '../src/lib/messages.ts'
import { checkNames, describeFinding, doctorTexts } from '../src/messages/command-line/doctor.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand } from './command-line.ts'

const MARKS = { ok: '✓', warning: '!', failed: '✗' } as const
const NAME_WIDTH = 12

await runCommand({ usage: usages.doctor, options: {} }, async () => {
  const findings = await examine(readConfig(undefined, { isReadOnly: true }))
  for (const { check, state, code, params } of findings)
    console.log(`${MARKS[state]} ${checkNames[check].padEnd(NAME_WIDTH)} ${describeFinding(code, params)}`)
  const broken = findings.filter(({ state }) => state === 'failed')
  if (broken.length > 0) throw new Failure(doctorTexts, 'failed', broken.length, findings.length)
})
