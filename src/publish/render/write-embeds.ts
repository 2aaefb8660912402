import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publishFailures } from '../../messages/server/publishing.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { type ThemeStylesheet, themeStylesheet } from '../../site/theme/theme-stylesheet.ts'
import { pageFile } from '../release/page-file.ts'
import type { Release } from '../release/release.ts'
import type { SiteFiles } from '../release/site-writer.ts'
import { embedParts } from './embed-parts.ts'

// Strings in the form's script, and in the one that counts visits.
const FORM_SCRIPT = 'form[data-form]'
const VISIT_SCRIPT = '/api/visits'

const STYLES = [
  new URL('../../styles/form-embed.css', import.meta.url),
  new URL('../../styles/site/form.css', import.meta.url),
]

/**
 * Writes `/forms/<slug>/embed.js` for each form page of a site, whose HTML must be on disk. The file contains the
 * page's own markup, script, and styles for another website, because static hosts let other sites load only scripts.
 * Returns a warning for each form that a site's own components leave without one of these.
 */
export async function writeEmbeds(
  { siteDir }: Pick<Release, 'siteDir'>,
  { content, writer, clientDir }: { content: SiteContent; writer: SiteFiles; clientDir: string },
): Promise<string[]> {
  const missing: string[] = []
  const styles = await embedStyles(themeStylesheet(content.settings.theme))
  for (const { slug, status } of content.forms.values()) {
    if (status !== 'active') continue
    const path = `/forms/${slug}`
    const page = await readFile(join(siteDir, pageFile(path)), 'utf8')
    const { html, lang, dir, scripts } = embedParts(page)
    const codes = await Promise.all(scripts.map((script) => readFile(join(clientDir, script), 'utf8')))
    // A script that imports others isn't a single file.
    const code = codes.find((one) => one.includes(FORM_SCRIPT) && !one.startsWith('import'))
    if (html === undefined || code === undefined) {
      missing.push(publishFailures.embedMissing(path))
      continue
    }
    const visitCode = codes.find((one) => one.includes(VISIT_SCRIPT))
    const form = { html: asPartOfPage(html), lang, dir, styles }
    writer.write(`${path.slice(1)}/embed.js`, embedScript(form, code, visitCode))
  }
  return missing
}

// The site's own colors and form styles. Inside a shadow root they apply to its host.
async function embedStyles({ rules }: ThemeStylesheet): Promise<string> {
  const files = await Promise.all(STYLES.map((file) => readFile(file, 'utf8')))
  return inPixels(againstThePage(withoutComments([rules.replaceAll(':root', ':host'), ...files].join(''))))
}

// The host is an element of the surrounding page, whose rules for it (`*`, `div`) override all but important ones.
function againstThePage(css: string): string {
  return css.replace(/:host\s*\{[^}]*\}/g, (rule) => rule.replace(/:[^:;{}]+(?=[;}])/g, '$& !important'))
}

// The surrounding page defines the size of a `rem`; the form's own text is 16 pixels.
function inPixels(css: string): string {
  return css.replace(/([\d.]+)rem\b/g, (_, size: string) => `${Math.round(Number(size) * 1_600) / 100}px`)
}

// In a scope of its own, because an embedded form must not leave names on the page.
function embedScript(
  form: { html: string; lang: string; dir: string; styles: string },
  code: string,
  visitCode = '',
): string {
  const noting = visitCode && `(() => {${visitCode}})();\n`
  return `(() => {\nconst embeddedForm = ${JSON.stringify(form)};\n${noting}${code}\n})()\n`
}

// The surrounding page has the first heading.
function asPartOfPage(html: string): string {
  return html.replace(/(<\/?)h1\b/g, '$1h2')
}

function withoutComments(css: string): string {
  return css.replace(/\/\*[\s\S]*?\*\//g, '')
}
