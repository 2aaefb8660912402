/** `/admin/forms/quote/webhooks/3` */
export function pathOfWebhook(formSlug: string, webhookId: number): string {
  return `/admin/forms/${formSlug}/webhooks/${webhookId}`
}

/** The way up from a page of a webhook. */
export function trailOfForm({ slug, name }: { slug: string; name: string }) {
  return [
    { href: '/admin/webhooks', label: 'Webhooks' },
    { href: `/admin/forms/${slug}/webhooks`, label: name },
  ]
}
