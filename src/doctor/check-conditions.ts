import type { Condition } from '../conditions/conditions.ts'
import { listUnknownSlugs } from '../conditions/renamed-store.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/schema.ts'
import { listForms } from '../forms/form-store.ts'
import { describeFinding } from '../messages/command-line/doctor.ts'
import { conditionsOfMails } from '../notifications/mail-rules.ts'
import { listWebhooks } from '../webhooks/definition/webhook-store.ts'
import { type Finding, ok, warning } from './finding.ts'
import { withDatabase } from './with-database.ts'

const NAME = 'conditions'

/** Returns which webhooks and recipients have conditions that name a place or service that doesn't exist. */
export async function checkConditions(config: Config): Promise<Finding> {
  return withDatabase(NAME, config, async (db) => {
    const said: string[] = []
    for (const { id, name: form, settings } of await listForms(db)) {
      for (const { name, fireOn } of (await listWebhooks(db, id)).filter(({ enabled }) => enabled))
        said.push(...(await findUnknown(db, [fireOn])).map((slugs) => webhookNames([name, form, slugs])))
      for (const mail of settings.notifications ?? [])
        said.push(
          ...(await findUnknown(db, conditionsOfMails({ notifications: [mail] }))).map((slugs) =>
            emailNames([mail.to.join(', '), form, slugs]),
          ),
        )
    }
    return said.length === 0
      ? ok(NAME, 'conditionsKnown')
      : warning(NAME, 'conditionsUnknown', said.join('; '))
  })
}

const webhookNames = (params: [name: string, form: string, slugs: string]) =>
  describeFinding('webhookNames', params)
const emailNames = (params: [to: string, form: string, slugs: string]) =>
  describeFinding('emailNames', params)

// One text with all slugs, or none.
async function findUnknown(db: Db, conditions: readonly (Condition | null)[]): Promise<string[]> {
  const { places, services } = await listUnknownSlugs(db, conditions)
  const slugs = [...places, ...services]
  return slugs.length === 0 ? [] : [slugs.join(', ')]
}
