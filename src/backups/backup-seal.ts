import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { BackupLabel, BackupSeal } from './backup-file-store.ts'

const KEY_BYTES = 32
const KEY_ID_CHARACTERS = 16

/**
 * `sealed`: unchanged. `changed`: altered by someone without the key. `other-key`: can't be checked with these keys.
 */
export type SealState = 'sealed' | 'changed' | 'other-key'

/** Seals the label of a backup with a key derived from the secret key, so that only its owner can write such a label. */
export function sealLabel(
  { madeAt, digest }: Pick<BackupLabel, 'madeAt' | 'digest'>,
  secretKey: Uint8Array,
): BackupSeal {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'signpost backups', KEY_BYTES))
  const mac = (text: string) => createHmac('sha256', key).update(text).digest('hex')
  return { keyId: mac('key id').slice(0, KEY_ID_CHARACTERS), mac: mac(`label\0${madeAt}\0${digest}`) }
}

/** Checks the seal of a label that fits its backup, with the key that made it. */
export function checkSeal(
  label: BackupLabel & { seal: BackupSeal },
  secretKeys: readonly Uint8Array[],
): SealState {
  const own = secretKeys.map((key) => sealLabel(label, key)).find(({ keyId }) => keyId === label.seal.keyId)
  if (!own) return 'other-key'
  const [mac, expected] = [Buffer.from(label.seal.mac), Buffer.from(own.mac)]
  return mac.length === expected.length && timingSafeEqual(mac, expected) ? 'sealed' : 'changed'
}
