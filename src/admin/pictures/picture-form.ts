import type { AdminFault } from '../../messages/admin/problems.ts'
import type { PictureChange } from '../../pictures/change-picture.ts'
import { crop, type Picture, pictureTags } from '../../pictures/picture.ts'
import type { FormValue } from '../kit/admin-form.ts'
import { faultOfAlt, readAlt } from './receive-descriptions.ts'

type Values = Readonly<Record<string, FormValue>>

const CROP = ['left', 'top', 'width', 'height'] as const

/** Returns the initial values of a picture's form. */
export function toFormValues({ alt, focalPoint, crop: cut, tags }: Picture): Record<string, string> {
  const [x, y] = focalPoint ?? [0.5, 0.5]
  const [left, top, width, height] = cut ? [cut.x, cut.y, cut.width, cut.height] : []
  return {
    alt: alt ?? '',
    ...(alt === '' && { decorative: 'on' }),
    focus_x: percent(x),
    focus_y: percent(y),
    tags: tags.join(', '),
    left: percent(left),
    top: percent(top),
    width: percent(width),
    height: percent(height),
  }
}

function percent(part: number | undefined): string {
  return part === undefined ? '' : String(Math.round(part * 1_000) / 10)
}

/** Reads the posted form of a picture, or returns its problems by input. */
export function readPictureForm(
  values: Values,
): { change: PictureChange } | { faults: Record<string, AdminFault> } {
  const faults: Record<string, AdminFault> = {}
  const alt = readAlt(values)
  const faultyAlt = faultOfAlt(alt)
  if (faultyAlt) faults.alt = faultyAlt
  const focus = ['focus_x', 'focus_y'].map((name) => {
    const part = partOf(values[name])
    if (part === undefined) faults[name] = { code: 'percent_invalid' }
    return part ?? 0.5
  })
  const cut = readCrop(values)
  if (cut === 'invalid') faults.width = { code: 'crop_invalid' }
  const tags = pictureTags.safeParse([...new Set(splitTags(values.tags))])
  if (!tags.success) faults.tags = { code: 'tags_invalid' }
  if (Object.keys(faults).length > 0 || cut === 'invalid' || !tags.data) return { faults }
  const [x = 0.5, y = 0.5] = focus
  const focalPoint: PictureChange['focalPoint'] = x === 0.5 && y === 0.5 ? null : [x, y]
  return { change: { alt: alt ?? null, focalPoint, crop: cut, tags: tags.data } }
}

function splitTags(text: FormValue | undefined): string[] {
  return String(text ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

// Rounded to a tenth of a percent.
function partOf(value: FormValue | undefined): number | undefined {
  const text = String(value ?? '').trim()
  const number = Number(text)
  if (text === '' || !(number >= 0 && number <= 100)) return undefined
  return Math.round(number * 10) / 1_000
}

function readCrop(values: Values): PictureChange['crop'] | 'invalid' {
  if (CROP.every((name) => String(values[name] ?? '').trim() === '')) return null
  const [x, y, width, height] = CROP.map((name) => partOf(values[name]))
  const read = crop.safeParse({ x, y, width, height })
  if (!read.success) return 'invalid'
  const isWhole = width === 1 && height === 1
  return isWhole ? null : read.data
}
