import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { updateSecrets } from '../definition/save-webhook-store.ts'
import { findWebhook } from '../definition/webhook-store.ts'
import { isUsableSecret } from '../sending/signatures.ts'
import { generateSigningSecret, replaceSecret } from './signing-secrets.ts'

export type Rotation = { kind: 'rotated'; secret: string } | { kind: 'not_found' | 'unusable_secret' }

/**
 * Replaces the signing secret of a webhook, with a generated one unless given, and returns it. Show it once: it can't
 * be read again. The previous secret stays valid in `webhook-signature` for 24 hours.
 */
export function rotateSigningSecret(
  db: Kysely<Schema>,
  webhookId: number,
  { secretBox, now, secret = generateSigningSecret() }: { secretBox: SecretBox; now: Date; secret?: string },
): Promise<Rotation> {
  return changeContent(db, async (trx) => {
    if (!isUsableSecret(secret)) return { kind: 'unusable_secret' }
    const webhook = await findWebhook(trx, webhookId)
    if (!webhook) return { kind: 'not_found' }
    await updateSecrets(
      trx,
      webhookId,
      replaceSecret({ owner: webhook, secrets: webhook }, secret, { secretBox, now }),
    )
    return { kind: 'rotated', secret }
  })
}
