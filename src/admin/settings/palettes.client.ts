import { PALETTE } from '../../messages/admin/settings/setting-texts.ts'
import { settingsPage } from '../../messages/admin/settings/settings.ts'
import { HEX_COLOR } from '../../site/theme/color.ts'
import { worstContrast } from '../../site/theme/contrasts.ts'
import type { ColorRole, Colors, Preset } from '../../site/theme/presets.ts'
import { completeTheme } from '../../site/theme/theme.ts'

// Adds a color picker beside each color and shows its readability while choosing, by the server's rule.
const texts = settingsPage.palette
const SHORT = /^#[0-9a-f]{3}$/i

interface ColorField {
  role: ColorRole
  look: 'light' | 'dark'
  text: HTMLInputElement
  picker: HTMLInputElement
  status: HTMLElement
}

const fields = [...document.querySelectorAll<HTMLElement>('[data-color]')].flatMap(toField)
const presets: Record<string, Preset> = JSON.parse(
  document.querySelector<HTMLElement>('[data-presets]')?.dataset.presets ?? '{}',
)
const preset = document.querySelectorAll<HTMLInputElement>('[name="theme.preset"]')
if (fields.length > 0) {
  for (const input of preset) input.addEventListener('change', show)
  show()
}

function toField(element: HTMLElement): ColorField[] {
  const [, key, role = ''] = (element.dataset.color ?? '').split('.')
  const text = element.querySelector('input')
  if (!text || !isRole(role)) return []
  const picker = document.createElement('input')
  picker.type = 'color'
  picker.className = 'h-10 w-12 shrink-0 cursor-pointer'
  picker.setAttribute('aria-label', texts.pick(PALETTE[role]))
  const status = document.createElement('p')
  status.className = 'text-sm'
  status.setAttribute('role', 'status')
  const line = document.createElement('div')
  line.className = 'flex items-center gap-2'
  text.before(line)
  line.append(picker, text)
  element.append(status)
  picker.addEventListener('input', () => {
    text.value = picker.value
    text.dispatchEvent(new Event('input', { bubbles: true }))
  })
  text.addEventListener('input', show)
  return [{ role, look: key === 'dark_colors' ? 'dark' : 'light', text, picker, status }]
}

function isRole(role: string): role is ColorRole {
  return Object.hasOwn(PALETTE, role)
}

function show() {
  const base = presets[[...preset].find(({ checked }) => checked)?.value ?? '']
  if (!base) return
  const theme = completeTheme(base, { colors: typed('light'), dark_colors: typed('dark') })
  for (const field of fields) showOne(field, theme[field.look])
}

function typed(look: ColorField['look']): Partial<Colors> {
  const valid = fields.filter((field) => field.look === look && HEX_COLOR.test(field.text.value.trim()))
  return Object.fromEntries(valid.map(({ role, text }) => [role, text.value.trim()]))
}

function showOne({ role, look, text, picker, status }: ColorField, colors: Colors) {
  const value = text.value.trim()
  text.placeholder = colors[role]
  picker.value = longHex(colors[role])
  const isWrong = value !== '' && !HEX_COLOR.test(value)
  const found = worstContrast(colors, role)
  // Shown at a color that someone set; at a derived color only if neither was set.
  const isSaid = value !== '' || (found?.isReadable === false && !isChosen(found.with, look))
  const said = isWrong ? texts.invalid : found && sentence(found)
  status.textContent = (isSaid && said) || ''
  status.classList.toggle('text-error', isWrong || found?.isReadable === false)
}

function isChosen(role: ColorRole, look: ColorField['look']): boolean {
  return fields.some((field) => field.role === role && field.look === look && field.text.value.trim() !== '')
}

function sentence(found: NonNullable<ReturnType<typeof worstContrast>>): string {
  const [contrast, role] = [`${found.contrast} : 1`, PALETTE[found.with].toLowerCase()]
  return found.isReadable ? texts.readable(contrast, role) : texts.unreadable(contrast, role, found.least)
}

function longHex(color: string): string {
  return SHORT.test(color) ? color.replace(/[0-9a-f]/gi, '$&$&') : color
}
