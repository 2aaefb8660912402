import type { APIRoute } from 'astro'
import { getAdministrator } from '#src/admin/kit/page-context.ts'
import { liveState } from '#src/admin/publish/live-state.ts'

/** How far publishing is, for the script of the page. */
export const GET: APIRoute = (context) => {
  getAdministrator(context)
  const { publishing } = context.locals.app
  const state = { isPublishing: publishing.isRunning(), isLooking: publishing.planner.isLooking() }
  const headers = { 'cache-control': 'no-store' }
  return Response.json(liveState(publishing.progress(), state), { headers })
}
