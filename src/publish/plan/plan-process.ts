import { connectDatabase } from '../../db/connect.ts'
import { planSite } from '../publish-site.ts'
import type { PageChange } from './plan-release.ts'
import type { PlanAnswer, PlanQuestion } from './planned-changes.ts'

const LISTED_CHANGES = 200

// Started by `planInProcess`: comparing every page would hold up a server.
process.once('message', (question: PlanQuestion) => {
  answer(question)
    .catch((error: Error): PlanAnswer => ({ failure: error.message }))
    .then((result) => process.send?.(result, () => process.disconnect?.()))
})

async function answer({ databaseUrl, ...options }: PlanQuestion): Promise<PlanAnswer> {
  const db = connectDatabase(databaseUrl)
  const changes: PageChange[] = []
  try {
    const onChange = (change: PageChange) => {
      if (change.change !== 'same' && changes.length < LISTED_CHANGES) changes.push(change)
    }
    return { plan: await planSite(db, { ...options, jobs: 1, onChange }), changes }
  } finally {
    await db.destroy()
  }
}
