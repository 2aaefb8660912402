import { withoutLinks } from '../../lib/markdown/link-parts.ts'
import { slugOf } from '../../lib/slug.ts'

// Fills in a key, slug, or value from the label above it while it is typed, until someone edits it. `data-key-from`
// names the label's field, in the same row or form; `data-key-joint` joins words.
const suggested = new WeakMap<HTMLInputElement, string>()

document.addEventListener('input', ({ target: source }) => {
  if (!(source instanceof HTMLInputElement)) return
  for (const key of keysIn(scopeOf(source))) if (sourceOf(key) === source) follow(key, source.value)
})

// A label may be typed before this script has loaded.
for (const key of keysIn(document.body)) {
  const source = sourceOf(key)
  if (source && source.value !== source.defaultValue) follow(key, source.value)
}

function follow(key: HTMLInputElement, label: string) {
  if (key.value !== (suggested.get(key) ?? '')) return
  key.value = keyOf(label, key)
  suggested.set(key, key.value)
  // As for typing, so that previews and lists follow.
  key.dispatchEvent(new Event('input', { bubbles: true }))
}

// A key that joins words with `_` starts with a letter.
function keyOf(label: string, { dataset, maxLength }: HTMLInputElement): string {
  const slug = slugOf(withoutLinks(label))
  const key = dataset.keyJoint === '_' ? slug.replaceAll('-', '_').replace(/^[\d_]+/, '') : slug
  return maxLength > 0 ? key.slice(0, maxLength).replace(/[-_]$/, '') : key
}

function keysIn(scope: Element | null): HTMLInputElement[] {
  return [...(scope?.querySelectorAll<HTMLInputElement>('input[data-key-from]') ?? [])]
}

function sourceOf(key: HTMLInputElement): HTMLInputElement | undefined {
  const inputs = scopeOf(key)?.querySelectorAll('input') ?? []
  return [...inputs].find((input) => partOf(input) === key.dataset.keyFrom)
}

function scopeOf(field: HTMLInputElement): Element | null {
  return field.closest('[data-row]') ?? field.form
}

/** `label` for `fields.0.label`; fields without a name have their own attribute. */
function partOf({ name, dataset }: HTMLInputElement): string | undefined {
  return name === '' ? dataset.part : name.split('.').at(-1)
}
