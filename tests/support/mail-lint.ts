import { caniemail } from 'caniemail'
import { HTMLElement, Window } from 'happy-dom'
import { HtmlValidate } from 'html-validate'
import { contrastOf } from '#src/site/theme/color.ts'

// Thunderbird is left out: its data lacks many features, and it is Firefox's engine.
const CLIENTS = [
  ...(['gmail.*', 'outlook.windows', 'outlook.macos', 'outlook.ios', 'outlook.android'] as const),
  ...(['outlook.outlook-com', 'apple-mail.*', 'yahoo.*', 'samsung-email.*'] as const),
]

/** Features that some mail programs lack, and why an email may use them. */
const ACCEPTED = new Map([
  ['<body> element', 'It becomes a <div>; the outer table has the same background.'],
  ['<style> element', 'It has nothing but the colors for dark devices.'],
  ['@media', 'Without it an email is light.'],
  ['color-scheme meta tag', 'Without it an email is light.'],
  ['table-layout', 'Outlook on Windows gives columns the width of their words.'],
])

/** Gmail hides the rest. */
const MOST_BYTES = 102 * 1024
const MOST_WIDTH = 600
const LEAST_CONTRAST = 4.5
// Outlook and Yahoo don't know flow-relative values; Outlook doesn't know the others.
const WRONG_VALUES = /text-align:(?:start|end)|:-\d|\d(?:rem|vw|vh)\b|font-weight:\d|var\(|calc\(/

// Set by Gmail itself and read by others; the data lacks most programs.
const WRAPS = 'word-wrap:break-word'

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  // Mail programs need inline styles and width attributes, so these rules are off.
  rules: {
    ...{ 'no-inline-style': 'off', 'no-deprecated-attr': 'off', 'doctype-style': 'off', 'void-style': 'off' },
    ...{ 'wcag/h37': 'error', 'wcag/h63': 'error' },
    ...{ 'long-title': 'off', 'attribute-boolean-style': 'off', 'no-trailing-whitespace': 'off' },
  },
})

const { DOMParser } = new Window()

/** Lists everything that mail programs would show incorrectly; empty for a correct email. */
export async function mailProblems({ html, text }: { html: string; text: string }): Promise<string[]> {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const elements = [...page.querySelectorAll('*')].filter((one) => one instanceof HTMLElement)
  return [
    ...(await markupProblems(html)),
    ...unsupported(html),
    ...elements.flatMap((one) => elementProblems(one as unknown as globalThis.HTMLElement)),
    ...(Buffer.byteLength(html) > MOST_BYTES ? ['longer than 102 KB'] : []),
    ...(text.trim() === '' ? ['no plain text'] : []),
    ...[...page.querySelectorAll('a[href^="http"]')]
      .map((link) => link.getAttribute('href') ?? '')
      .filter((address) => !text.includes(address))
      .map((address) => `${address} is not in the plain text`),
  ]
}

async function markupProblems(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))
}

function unsupported(html: string): string[] {
  const { errors } = caniemail({ clients: CLIENTS, html: html.replaceAll(WRAPS, '') }).issues
  const found = [...errors].flatMap(([client, issues]) => issues.map(({ title }) => ({ client, title })))
  return [
    ...new Set(
      found.filter(({ title }) => !ACCEPTED.has(title)).map(({ client, title }) => `${client}: ${title}`),
    ),
  ]
}

function elementProblems(element: globalThis.HTMLElement): string[] {
  const style = element.getAttribute('style') ?? ''
  const name = element.tagName.toLowerCase()
  const width = Number(
    /max-width:(\d+)px/.exec(style)?.[1] ?? element.getAttribute('width')?.replace(/%$/, ''),
  )
  const problems = [
    ['script', 'link', 'form'].includes(name) && 'is not for mails',
    name === 'style' && !isForDark(element) && 'is not for mails',
    element.hasAttribute('class') && 'has a class',
    width > MOST_WIDTH && `is ${width} pixels wide`,
    WRONG_VALUES.test(style) && `has ${WRONG_VALUES.exec(style)?.[0]}`,
    name === 'table' && !isRightTable(element) && 'is a layout without role="presentation"',
    contrastProblem(element),
  ]
  return problems.filter(Boolean).map((problem) => `<${name}> ${problem}`)
}

function isForDark(style: globalThis.HTMLElement): boolean {
  return style.textContent?.startsWith('@media (prefers-color-scheme:dark){') ?? false
}

// Rows of labels and values form a data table.
function isRightTable(table: globalThis.HTMLElement): boolean {
  const hasHeads = table.querySelector(':scope > tbody > tr > th[scope]') !== null
  return hasHeads !== (table.getAttribute('role') === 'presentation')
}

function contrastProblem(element: globalThis.HTMLElement): string | false {
  const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
  if (!hasText || element.closest('head')) return false
  const contrast = contrastOf(inherited(element, 'color'), inherited(element, 'background-color'))
  return contrast < LEAST_CONTRAST && `has a contrast of ${contrast.toFixed(1)}`
}

function inherited(element: globalThis.HTMLElement, property: string): string {
  const pattern = new RegExp(`(?:^|;)${property}:(#[0-9a-f]{6})`)
  for (let one: globalThis.HTMLElement | null = element; one; one = one.parentElement) {
    const [, value] = pattern.exec(one.getAttribute('style') ?? '') ?? []
    if (value) return value
  }
  throw new Error(`No ${property} is set around <${element.tagName}>`)
}
