import type { CheckName, FindingCode, FindingParams } from '../messages/command-line/doctor.ts'

/** The finding of one check; `describeFinding` turns it into a sentence with advice. */
export interface Finding {
  /** The check that was made. */
  check: CheckName
  /** `warning` works today and may not tomorrow; `failed` does not work. */
  state: 'ok' | 'warning' | 'failed'
  code: FindingCode
  params: readonly unknown[]
}

const found =
  (state: Finding['state']) =>
  <Code extends FindingCode>(check: CheckName, code: Code, ...params: FindingParams<Code>): Finding => ({
    check,
    state,
    code,
    params,
  })

export const ok = found('ok')
export const warning = found('warning')
export const failed = found('failed')
