import { Parser } from 'htmlparser2'

const LANGUAGE = /<html lang="([^"]+)" dir="([^"]+)"/
const SCRIPTS = /<script type="module" src="(\/_astro\/[^"]+)">/g

/** Parts of a form's page that other websites show. */
interface EmbedParts {
  /** The element with the ID `form`; undefined if none contains a `<form data-form>`. */
  html: string | undefined
  lang: string
  dir: string
  /** Addresses of the scripts that the page loads, in its order. */
  scripts: string[]
}

/** Finds in a form's page, which may have components of the site's own, what other websites show of it. */
export function embedParts(page: string): EmbedParts {
  const [, lang = '', dir = ''] = LANGUAGE.exec(page) ?? []
  return {
    html: findForm(page),
    lang,
    dir,
    scripts: [...page.matchAll(SCRIPTS)].flatMap(([, one]) => one ?? []),
  }
}

function findForm(page: string): string | undefined {
  let found: string | undefined
  let start: number | undefined
  let depth = 0
  let hasForm = false
  const parser = new Parser({
    onopentag(name, attributes) {
      if (attributes.id === 'form' && start === undefined) start = parser.startIndex
      if (start === undefined || found !== undefined) return
      depth += 1
      if (name === 'form' && 'data-form' in attributes) hasForm = true
    },
    onclosetag() {
      if (start === undefined || found !== undefined) return
      depth -= 1
      if (depth === 0) found = page.slice(start, parser.endIndex + 1)
    },
  })
  parser.end(page)
  return hasForm ? found : undefined
}
