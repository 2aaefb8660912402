/** Returns the address where a preview link can be made that shows only this: a saved change, or a draft. */
export function shareAddress(subject: 'entry' | 'setting', id: number | 'site'): string {
  return `/admin/publish/previews?only=${subject}:${id}`
}
