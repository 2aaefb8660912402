/** `/admin/forms/quote/webhooks/3` */
export function pathOfWebhook(formSlug: string, webhookId: number): string {
  return `/admin/forms/${formSlug}/webhooks/${webhookId}`
}

/** The breadcrumb to a form's webhooks. */
export function trailOfForm({ slug, name }: { slug: string; name: string }) {
  return [{ href: `/admin/forms/${slug}/webhooks`, label: name }]
}

/** The breadcrumb to a page below a webhook. */
export function trailOfWebhook(
  form: { slug: string; name: string },
  { id, name }: { id: number; name: string },
) {
  return [...trailOfForm(form), { href: pathOfWebhook(form.slug, id), label: name }]
}
