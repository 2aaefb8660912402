import type { Db } from '../db/schema.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { renewDocument } from './base-documents.ts'
import { listConflicts, replaceSides } from './conflicts/conflict-store.ts'
import { listContentFileBases, replaceBaseDocument } from './content-file-store.ts'
import type { ContentDocument } from './document.ts'

interface Sealing {
  secretBox: SecretBox
}

/** Re-encrypts secrets in the stored texts of files and conflicts with the newest key. */
export async function renewDocuments(db: Db, { secretBox }: Sealing): Promise<void> {
  for (const { path, document } of (await listContentFileBases(db, { folder: 'forms' })).values()) {
    const now = renew(document as ContentDocument | null, { secretBox })
    if (isChanged(document, now)) await replaceBaseDocument(db, path, { former: document, now })
  }
  for (const conflict of await listConflicts(db, { limit: Number.MAX_SAFE_INTEGER })) {
    const sides = {
      file: renew(conflict.file, { secretBox }),
      row: renew(conflict.row, { secretBox }),
    }
    const { file, row } = conflict
    if (isChanged({ file, row }, sides)) await replaceSides(db, conflict, sides)
  }
}

function renew(document: ContentDocument | null, { secretBox }: Sealing): ContentDocument | null {
  return document && renewDocument(document, secretBox)
}

function isChanged(former: unknown, now: unknown): boolean {
  return canonicalJson(former) !== canonicalJson(now)
}
