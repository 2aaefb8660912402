import { scheduleBarTexts } from '#src/messages/admin/editing.ts'
import { formatSchedule } from '../../kit/format-time.ts'
import { momentOf } from './moment-of.ts'

// Says on the buttons what they do with the time, as soon as one is set.
const menu = document.querySelector<HTMLDetailsElement>('[data-schedule]')
const form = menu?.closest('form')
if (menu && form) start(menu, form)

function start(menu: HTMLDetailsElement, form: HTMLFormElement) {
  const { schedule: timeZone = 'UTC', usualLabel = '' } = menu.dataset
  const time = menu.querySelector<HTMLInputElement>('[name=publish_at]')
  const status = form.querySelector<HTMLSelectElement>('[name=status]')
  const save = form.querySelector<HTMLButtonElement>('[data-save]')
  const set = menu.querySelector('[data-set-schedule]')
  const share = form.querySelector<HTMLButtonElement>('[name=act][value=share]')
  if (!time || !status || !save) return
  const scheduledAt = () => {
    const at = momentOf(time.value, timeZone)
    return at !== undefined && at > new Date().toISOString() ? at : undefined
  }
  const label = () => {
    const at = status.value === 'published' ? scheduledAt() : undefined
    const saveAt = at && scheduleBarTexts.saveAt(formatSchedule(at, timeZone))
    save.textContent = saveAt ?? usualLabel
    // Both buttons do the same.
    if (set) set.textContent = saveAt ?? scheduleBarTexts.set
    if (share) share.hidden = at !== undefined
  }
  // The status before a time was set.
  let usual: string | undefined
  time.addEventListener('input', () => {
    if (scheduledAt()) {
      usual ??= status.value
      // A draft has no schedule.
      status.value = 'published'
    } else if (usual !== undefined) {
      status.value = usual
      usual = undefined
    }
    label()
  })
  status.addEventListener('change', () => {
    usual = undefined
    label()
  })
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
  // After a reload, the browser may show the time that was typed.
  addEventListener('pageshow', label)
}
