import { versionTexts } from '#src/messages/admin/history/versions.ts'
import type { Version } from '#src/versions/version.ts'

/** Who saved a version, or what did. */
export function describeSaver({ source, savedBy }: Version): string {
  if (source === 'file') return versionTexts.byFile
  const name = savedBy ?? versionTexts.byNobody
  return source === 'restored' ? versionTexts.restored(name) : name
}
