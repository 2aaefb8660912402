import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { type SettleAnswer, settleConflict } from '../../content-files/conflicts/settle-conflict.ts'
import { noteSync } from '../../publish/plan/unpublished-sync.ts'
import { readFormData } from '../kit/admin-form.ts'
import { finish } from '../kit/page-context.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'locals' | 'cookies' | 'url'>

const decision = z.object({
  path: z.string().min(1),
  version: z.string().min(1),
  prefer: z.enum(['file', 'database']),
})

/** Why a decision was not carried out, by path. */
export type Refusals = ReadonlyMap<string, readonly string[]>

/** Carries out what was decided about a conflict, and returns the answer; on a refusal the reasons to show. */
export async function receiveDecision(astro: Context): Promise<Response | Refusals> {
  if (astro.request.method !== 'POST') return new Map()
  const parsed = decision.safeParse(Object.fromEntries(await readFormData(astro.request)))
  if (!parsed.success) {
    astro.response.status = 422
    return new Map()
  }
  const { config } = astro.locals.app
  const { contentDir, databaseUrl } = config
  const secretKeys = config.secretKeys()
  const answer = await settleConflict({ contentDir, databaseUrl, secretKeys, ...parsed.data })
  return answer.kind === 'settled'
    ? settle(astro, parsed.data, answer)
    : showRefusal(astro, parsed.data.path, answer)
}

async function settle(
  astro: Context,
  { path, prefer }: z.output<typeof decision>,
  { isSiteChanged }: Extract<SettleAnswer, { kind: 'settled' }>,
): Promise<Response> {
  const { config } = astro.locals.app
  if (isSiteChanged) noteSync(config.dataDir)
  const what = prefer === 'file' ? `Used the file version of ${path}` : `Kept the admin version of ${path}`
  const change = { action: 'content.settled', id: path, summary: what } as const
  return finish(astro, change, { to: '/admin/conflicts', text: `${what}.` })
}

function showRefusal(
  astro: Context,
  path: string,
  answer: Exclude<SettleAnswer, { kind: 'settled' }>,
): Refusals {
  astro.response.status = 409
  if (answer.kind === 'refused') return new Map([[path, answer.reasons]])
  return new Map([[path, ['The file or the admin changed meanwhile. Compare the versions again.']]])
}
