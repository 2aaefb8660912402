import type { Db } from '../../db/schema.ts'
import { canonicalJson, sha256Hex } from '../../lib/canonical-json.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { sealDocument } from '../base-documents.ts'
import { type ContentFileBase, deleteContentFileBases, saveContentFileBases } from '../content-file-store.ts'
import type { ContentDocument } from '../document.ts'
import { documentsFromDatabase } from '../documents-from-database.ts'
import type { PathPlan } from './plan-paths.ts'
import { ABSENT, PREFERRED } from './plan-sync.ts'

/** Records the state of files and rows after the plans were carried out, for the next sync. */
export async function recordBases(
  db: Db,
  plans: readonly PathPlan[],
  { secretBox, now }: { secretBox: SecretBox; now: string },
): Promise<void> {
  const isChanged = plans.some(({ decision }) => decision === 'write' || decision === 'remove')
  const rows = isChanged ? await documentsFromDatabase(db) : undefined
  const hashOf = ({ path, row }: PathPlan) => (rows ? rows.get(path) : row)?.sha256 ?? ABSENT
  const seal = (plan: PathPlan, file: ContentDocument, rowSha256: string): ContentFileBase[] => {
    if (isRecorded(plan, file, rowSha256)) return []
    return [{ path: plan.path, document: sealDocument(file, secretBox), rowSha256 }]
  }
  const bases = plans.flatMap((plan) => {
    if (!plan.file) return []
    if (plan.decision === 'write' || plan.decision === 'agree') return seal(plan, plan.file, hashOf(plan))
    // The row counts as edited if it differs from the file.
    if (plan.decision === 'merge') return seal(plan, plan.file, sha256Hex(canonicalJson(plan.file)))
    // The file is resolved and the row belongs to the admin, whatever it contains by then.
    return plan.decision === 'prefer_row' ? seal(plan, plan.file, PREFERRED) : []
  })
  // A form with answers was archived instead of deleted: without a file, the archived row is the agreed state until
  // the file returns.
  const archived = plans.flatMap(({ path, decision }) => {
    const row = decision === 'remove' ? rows?.get(path) : undefined
    return row ? [{ path, document: null, rowSha256: row.sha256 }] : []
  })
  const forgotten = plans.filter(({ base, file, decision }) => base && !file && decision !== 'keep')
  const paths = forgotten.map(({ path }) => path)
  await deleteContentFileBases(db, paths)
  await saveContentFileBases(db, [...bases, ...archived], { now })
}

function isRecorded({ base }: PathPlan, file: ContentDocument, rowSha256: string): boolean {
  return base?.rowSha256 === rowSha256 && canonicalJson(base.document) === canonicalJson(file)
}
