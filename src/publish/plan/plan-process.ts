import { connectDatabase } from '../../db/connect.ts'
import { findNotices } from '../notices/find-notices.ts'
import { planSite } from '../publish-site.ts'
import { listFirstChanges } from './list-first-changes.ts'
import type { PlanAnswer, PlanQuestion } from './planned-changes.ts'

// Started by `planInProcess`: comparing every page, and reading every text, would hold up a server.
process.once('message', (question: PlanQuestion) => {
  answer(question)
    .catch((error: Error): PlanAnswer => ({ failure: error.message }))
    .then((result) => process.send?.(result, () => process.disconnect?.()))
})

async function answer({ databaseUrl, ...options }: PlanQuestion): Promise<PlanAnswer> {
  const db = connectDatabase(databaseUrl)
  const { changes, onChange } = listFirstChanges()
  try {
    const plan = await planSite(db, { ...options, jobs: 1, onChange })
    return { plan, changes, notices: await findNotices(db) }
  } finally {
    await db.destroy()
  }
}
