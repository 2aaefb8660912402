import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { settleConflict } from '../../content-files/conflicts/settle-conflict.ts'
import { conflictTexts } from '../../messages/admin/conflicts.ts'
import { noteSync } from '../../publish/plan/unpublished-sync.ts'
import { openSharedSite } from '../../publish/shared/shared-site.ts'
import { type AdminForm, receiveForm } from '../kit/admin-form.ts'
import { appOf, finish, getAdministrator } from '../kit/page-context.ts'
import { maySettle } from './may-settle.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'locals' | 'cookies' | 'url'>

const DECISION = z.object({
  path: z.string().min(1),
  version: z.string().min(1),
  prefer: z.enum(['file', 'database', 'fields']),
  fields: z.array(z.string()).max(1_000).default([]),
})

const SETTLED = {
  file: conflictTexts.tookFile,
  database: conflictTexts.keptAdmin,
  fields: conflictTexts.mergedFields,
}

/**
 * Carries out a decision about a conflict and redirects. Otherwise returns the reasons by path, with status 409, or
 * 403 if the user isn't allowed to decide.
 */
export async function receiveDecision(astro: Context): Promise<Response | AdminForm<unknown>['errors']> {
  const form = await receiveForm(astro, DECISION)
  if (!form.input) return {}
  const { path, prefer } = form.input
  if (!maySettle(getAdministrator(astro), path)) {
    astro.locals.refused = 'forbidden'
    astro.response.status = 403
    return { [path]: [conflictTexts.notYours] }
  }
  const { config } = appOf(astro)
  const { contentDir, databaseUrl, dataDir, secretKeys } = config
  const sharedPlace = openSharedSite(config) && config.filePlace
  const known = { contentDir, dataDir, databaseUrl, sharedPlace, secretKeys: secretKeys() }
  const { version, fields } = form.input
  const decision = prefer === 'fields' ? { prefer: undefined, fields } : { prefer }
  const answer = await settleConflict({ ...known, path, version, ...decision })
  if (answer.kind !== 'settled') {
    astro.response.status = 409
    return { [path]: answer.kind === 'refused' ? answer.reasons : [conflictTexts.outdated] }
  }
  if (answer.isSiteChanged) noteSync(dataDir)
  const what = SETTLED[prefer](path)
  const change = { action: 'content.settled', id: path, summary: what } as const
  return finish(astro, change, { to: '/admin/conflicts', text: `${what}.` })
}
