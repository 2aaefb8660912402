import type { Finding } from '#src/doctor/finding.ts'
import { checkNames, describeFinding } from '#src/messages/command-line/doctor.ts'

/** Returns a finding as doctor prints it. */
export function said({ check, state, code, params }: Finding) {
  return { check: checkNames[check], state, says: describeFinding(code, params) }
}
