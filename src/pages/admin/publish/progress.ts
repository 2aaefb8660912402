import type { APIRoute } from 'astro'
import { appOf } from '#src/admin/kit/page-context.ts'
import { liveState } from '#src/admin/publish/live-state.ts'

/** Returns the progress of publishing, for the page's script. */
export const GET: APIRoute = (context) => {
  const { publishing } = appOf(context)
  const state = { isPublishing: publishing.isRunning(), isLooking: publishing.planner.isLooking() }
  const headers = { 'cache-control': 'no-store' }
  return Response.json(liveState(publishing.progress(), state), { headers })
}
