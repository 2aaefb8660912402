import type { Db } from '../../db/schema.ts'

/** The webhooks whose conditions name this text as a value, such as the slug of a place, with their forms. */
export async function listWebhooksNaming(
  db: Db,
  text: string,
): Promise<{ id: number; name: string; formSlug: string }[]> {
  const rows = await db
    .selectFrom('form_webhooks')
    .innerJoin('forms', 'forms.id', 'form_webhooks.form_id')
    .select(['form_webhooks.id', 'form_webhooks.name', 'forms.slug as formSlug', 'fire_on_json'])
    .where('fire_on_json', 'is not', null)
    .orderBy('form_webhooks.id')
    .execute()
  // The text is a JSON value of its own: a part of a longer one does not count.
  return rows
    .filter(({ fire_on_json }) => fire_on_json?.includes(JSON.stringify(text)))
    .map(({ id, name, formSlug }) => ({ id, name, formSlug }))
}
