import type { APIContext } from 'astro'
import { nameColleague } from '#src/admin/access/name-colleague.ts'
import { versionTexts } from '#src/messages/admin/history/versions.ts'
import type { Version } from '#src/versions/version.ts'

/** Names who or what saved a version. */
export function describeSaver(context: Pick<APIContext, 'locals'>, { source, savedBy }: Version): string {
  if (source === 'file') return versionTexts.byFile
  if (source === 'unknown') return versionTexts.byItself
  const name = savedBy === null ? versionTexts.byNobody : nameColleague(context, savedBy)
  return source === 'restored' ? versionTexts.restored(name) : name
}
