import type { Renamed } from '../../conditions/condition-slugs.ts'
import { findRenamed } from '../../conditions/renamed-store.ts'
import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { findFormOfPages } from '../../forms/form-store.ts'
import { conditionsOfMails } from '../../notifications/mail-rules.ts'
import type { Webhook } from '../../webhooks/definition/webhook.ts'
import { listWebhooks } from '../../webhooks/definition/webhook-store.ts'

const MAX_AGE_MS = 1_000

/** The parts of a form needed to accept a post. */
export interface PostedForm {
  form: Form
  webhooks: readonly Webhook[]
  /** Former slugs in the conditions of the form. */
  renamed: Renamed
  /** Country and language of the business, for examples in messages. */
  country: string
  /** Time zone of the business, whose days count leads. */
  timeZone: string
  /** True if the `attribution` setting is on. */
  keepsSources: boolean
}

export interface FormCache {
  /** Returns the form with that slug, at most one second old. */
  find(slug: string): Promise<PostedForm | undefined>
  /** Clears the cache after forms changed in this process. */
  invalidate(): void
}

interface FormCacheOptions {
  db: Db
  now: () => Date
  keepsSources?: (() => Promise<boolean>) | undefined
}

/**
 * Caches the forms that receive posts. Other processes may change forms too, so an entry lives for one second: a post
 * may be handled as if it had arrived up to a second earlier. Only existing forms are cached, whatever slugs are
 * requested.
 */
export function createFormCache({ db, now, keepsSources = async () => true }: FormCacheOptions): FormCache {
  const loaded = new Map<string, { form: Promise<PostedForm | undefined>; at: number }>()

  function load(slug: string, at: number) {
    const form = readForm(db, slug, keepsSources)
    const entry = { form, at }
    const forget = () => loaded.get(slug) === entry && loaded.delete(slug)
    loaded.set(slug, entry)
    form.then((found) => found ?? forget(), forget)
    return form
  }

  return {
    find(slug) {
      const at = now().getTime()
      const entry = loaded.get(slug)
      // After the clock is set back, an entry must not stay forever.
      const isFresh = entry && at >= entry.at && at - entry.at <= MAX_AGE_MS
      return isFresh ? entry.form : load(slug, at)
    },
    invalidate: () => loaded.clear(),
  }
}

async function readForm(
  db: Db,
  slug: string,
  keepsSources: () => Promise<boolean>,
): Promise<PostedForm | undefined> {
  const form = await findFormOfPages(db, slug)
  if (!form) return undefined
  const { country, timeZone } = await findLocale(db)
  const webhooks = await listWebhooks(db, form.id)
  const conditions = [...webhooks.map(({ fireOn }) => fireOn), ...conditionsOfMails(form.settings)]
  return {
    form,
    country,
    timeZone,
    webhooks,
    renamed: await findRenamed(db, conditions),
    keepsSources: await keepsSources(),
  }
}
