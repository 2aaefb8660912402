/** What one check found, in words that say what to do. */
export interface Finding {
  /** What was looked at: `Disk`. */
  check: string
  /** `warning` works today and may not tomorrow; `failed` does not work. */
  state: 'ok' | 'warning' | 'failed'
  says: string
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says })
export const warning = (check: string, says: string): Finding => ({ check, state: 'warning', says })
export const failed = (check: string, says: string): Finding => ({ check, state: 'failed', says })
