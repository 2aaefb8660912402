import type { Holder } from '../../auth/roles/capabilities.ts'
import { mayOpen, mayPost } from './may-open.ts'

// Relies on Astro's output: a `>` outside quotes always ends a tag, and links, forms, and buttons are never nested.
const ATTRIBUTES = String.raw`((?:\s+[^\s"'<>=/]+(?:="[^"]*")?)*)\s*`
const LINK = new RegExp(`<a${ATTRIBUTES}>(.*?)</a>`, 'gs')
const FORM = new RegExp(`<form${ATTRIBUTES}>(.*?)</form>`, 'gs')
const BUTTON = new RegExp(`<button${ATTRIBUTES}>.*?</button>`, 'gs')

/**
 * Removes links and buttons that the user can't use from an admin page, and disables forms that they can't send, so
 * that no screen has to check. The guard refuses such requests anyway.
 */
export function hideForbidden(html: string, user: Holder, path: string): string {
  return html
    .replace(LINK, (link, attributes: string, content: string) => {
      const href = attributeOf(attributes, 'href')
      if (href === undefined || mayOpen(user, href)) return link
      return /\bbtn\b/.test(attributeOf(attributes, 'class') ?? '') ? '' : content
    })
    .replace(FORM, (form, attributes: string, content: string) => {
      if (attributeOf(attributes, 'method') !== 'post') return form
      const allowed = content.replace(BUTTON, (button, own: string) => {
        const action = attributeOf(own, 'formaction')
        return action === undefined || mayPost(user, action) ? button : ''
      })
      const action = attributeOf(attributes, 'action') ?? path
      if (mayPost(user, action)) return `<form${attributes}>${allowed}</form>`
      const fields = allowed.replace(BUTTON, (button, own: string) =>
        attributeOf(own, 'type') === 'button' || attributeOf(own, 'formaction') ? button : '',
      )
      return `<form${attributes}><fieldset disabled class="contents">${fields}</fieldset></form>`
    })
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`)
    .exec(attributes)?.[1]
    ?.replaceAll('&#38;', '&')
    .replaceAll('&amp;', '&')
}
