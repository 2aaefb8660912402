import type { Condition } from '../conditions/conditions.ts'
import { listUnknownSlugs } from '../conditions/renamed-store.ts'
import { listReusedSlugs } from '../conditions/reused-slugs-store.ts'
import { listUnknownChoices } from '../conditions/unknown-choices.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/schema.ts'
import type { FormField } from '../forms/form.ts'
import { listForms } from '../forms/form-store.ts'
import { describeFinding } from '../messages/command-line/doctor.ts'
import { conditionsOfMails } from '../notifications/mail-rules.ts'
import { listWebhooks } from '../webhooks/definition/webhook-store.ts'
import { type Finding, ok, warning } from './finding.ts'
import { withDatabase } from './with-database.ts'

const NAME = 'conditions'

/** Returns which webhooks and recipients have conditions that name nothing that exists, or a slug that changed places. */
export async function checkConditions(config: Config): Promise<Finding> {
  return withDatabase(NAME, config, async (db) => {
    const said = await describeConditionProblems(db)
    return said.length === 0
      ? ok(NAME, 'conditionsKnown')
      : warning(NAME, 'conditionsUnknown', said.join('; '))
  })
}

/** Returns a sentence about each condition that names nothing that exists, or a slug that changed places. */
export async function describeConditionProblems(db: Db): Promise<string[]> {
  const said: string[] = []
  for (const { id, name: form, settings, fields } of await listForms(db)) {
    for (const { name, fireOn } of (await listWebhooks(db, id)).filter(({ enabled }) => enabled))
      said.push(
        ...(await findUnknown(db, [fireOn])).map((slugs) => webhookNames([name, form, slugs])),
        ...findUnknownChoices([fireOn], fields).map((choices) => webhookChoices([name, form, ...choices])),
        ...(await findReused(db, [fireOn])).map((reused) => webhookReuses([name, form, ...reused])),
      )
    for (const mail of settings.notifications ?? []) {
      const conditions = conditionsOfMails({ notifications: [mail] })
      const to = mail.to.join(', ')
      said.push(
        ...(await findUnknown(db, conditions)).map((slugs) => emailNames([to, form, slugs])),
        ...findUnknownChoices(conditions, fields).map((choices) => emailChoices([to, form, ...choices])),
        ...(await findReused(db, conditions)).map((reused) => emailReuses([to, form, ...reused])),
      )
    }
  }
  return said
}

const webhookNames = (params: [name: string, form: string, slugs: string]) =>
  describeFinding('webhookNames', params)
const emailNames = (params: [to: string, form: string, slugs: string]) =>
  describeFinding('emailNames', params)

const webhookChoices = (params: [name: string, form: string, question: string, values: string]) =>
  describeFinding('webhookChoices', params)
const emailChoices = (params: [to: string, form: string, question: string, values: string]) =>
  describeFinding('emailChoices', params)

const webhookReuses = (params: [name: string, form: string, slug: string, now: string, before: string]) =>
  describeFinding('webhookReuses', params)
const emailReuses = (params: [to: string, form: string, slug: string, now: string, before: string]) =>
  describeFinding('emailReuses', params)

function findUnknownChoices(
  conditions: readonly (Condition | null)[],
  fields: readonly FormField[],
): [question: string, values: string][] {
  return listUnknownChoices(conditions, fields).map(({ name, values }) => [name, values.join(', ')])
}

type Reused = [slug: string, now: string, before: string]

async function findReused(db: Db, conditions: readonly (Condition | null)[]): Promise<Reused[]> {
  return (await listReusedSlugs(db, conditions)).map(({ slug, now, before }) => [slug, now, before])
}

// One text with all slugs, or none.
async function findUnknown(db: Db, conditions: readonly (Condition | null)[]): Promise<string[]> {
  const { places, services } = await listUnknownSlugs(db, conditions)
  const slugs = [...places, ...services]
  return slugs.length === 0 ? [] : [slugs.join(', ')]
}
