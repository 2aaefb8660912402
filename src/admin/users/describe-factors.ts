import type { Administrator } from '../../auth/administrator.ts'
import { teamTexts } from '../../messages/admin/team.ts'

/** Returns the badge for a user's second factors: `on`, `off`, or their kind. */
export function describeFactors({
  hasTwoFactors,
  hasPasskeys,
}: Pick<Administrator, 'hasTwoFactors' | 'hasPasskeys'>): { status: 'on' | 'off'; label?: string } {
  if (!hasPasskeys) return { status: hasTwoFactors ? 'on' : 'off' }
  return { status: 'on', label: hasTwoFactors ? teamTexts.factors.both : teamTexts.factors.passkey }
}
