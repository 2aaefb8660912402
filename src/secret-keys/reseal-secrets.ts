import type { Kysely } from 'kysely'
import { appendAuditEntry } from '../auth/audit/audit-chain.ts'
import { renewTotpSecrets } from '../auth/two-factors.ts'
import { bindStoredSecrets } from '../content-files/bind-stored-secrets.ts'
import { renewDocuments } from '../content-files/renew-documents.ts'
import type { Db, Schema } from '../db/schema.ts'
import { renewKeyCheck } from '../db/secret-key-store.ts'
import { createRingBox, type KeyRing } from '../lib/key-ring.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { keyTexts } from '../messages/command-line/keys.ts'
import { changeContent } from '../versions/content-turn-store.ts'
import { renewTrashedForms } from './renew-trashed-forms.ts'

/** The numbers of encrypted values in the database, including the key check. */
export interface SealCounts {
  /** Values encrypted with a former key, or in an earlier version's format. */
  former: number
  /** Values that no key decrypts. */
  unreadable: number
}

/**
 * Encrypts everything in the database with the newest key: all of it or, if the program is killed, nothing. Servers
 * keep running meanwhile. Returns the counts from before.
 */
export function resealSecrets(
  db: Kysely<Schema>,
  ring: KeyRing,
  { now }: { now: Date },
): Promise<SealCounts> {
  return changeContent(db, async (trx) => {
    const before = await countSeals(trx, ring)
    if (before.former === 0) return before
    await renewAll(trx, { secretBox: createRingBox(ring) })
    const entry = { userId: null, userEmail: 'npm run key:rotate', address: 'this machine' }
    const what = { action: 'secret_key.replaced', summary: keyTexts.audit }
    await appendAuditEntry(trx, { ...entry, ...what }, { now })
    return before
  })
}

/** Counts values that the newest key does not decrypt. */
export async function countSeals(db: Db, ring: KeyRing): Promise<SealCounts> {
  const { secretBox, counts } = createCountingBox(ring)
  await renewAll(db, { secretBox })
  return counts
}

// Everything encrypted for longer than a sign-in.
async function renewAll(db: Db, sealing: { secretBox: SecretBox }) {
  await bindStoredSecrets(db, sealing)
  await renewTotpSecrets(db, sealing)
  await renewDocuments(db, sealing)
  await renewTrashedForms(db, sealing)
  await renewKeyCheck(db, sealing)
}

// Renews nothing, so that nothing is written.
function createCountingBox(ring: KeyRing): { secretBox: SecretBox; counts: SealCounts } {
  const box = createRingBox(ring)
  const counts = { former: 0, unreadable: 0 }
  const secretBox: SecretBox = {
    ...box,
    renew(sealed, place) {
      counts.unreadable += 1
      const renewed = box.renew(sealed, place)
      counts.unreadable -= 1
      if (renewed !== sealed) counts.former += 1
      return sealed
    },
    // Called after `renew` failed, for the place that an earlier version used.
    open(sealed, place) {
      box.open(sealed, place)
      counts.unreadable -= 1
      counts.former += 1
      throw new Error('Only counted')
    },
  }
  return { secretBox, counts }
}
