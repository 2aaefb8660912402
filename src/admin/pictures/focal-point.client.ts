import { partInFrame } from '../../pictures/shown-part.ts'

// Sets the focal point by clicking the picture, and shows it with the parts that pages show. The inputs remain and are
// what is posted.
const frame = document.querySelector<HTMLElement>('[data-focus]')
const mark = frame?.querySelector('[data-focus-mark]')
const previews = document.querySelector<HTMLElement>('[data-crop-previews]')
const [focus, crop] = [
  ['focus_x', 'focus_y'],
  ['left', 'top', 'width', 'height'],
].map((names) => names.map((name) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`)))

if (frame && focus && crop) {
  document.querySelector('[data-focus-help]')?.removeAttribute('hidden')
  frame.classList.add('cursor-crosshair')
  frame.addEventListener('click', (event) => {
    if (frame.hasAttribute('data-cropping')) return
    const { left, top, width, height } = frame.getBoundingClientRect()
    const parts = [(event.clientX - left) / width, (event.clientY - top) / height]
    for (const [index, input] of focus.entries())
      if (input) input.value = String(Math.round(Math.min(1, Math.max(0, parts[index] ?? 0)) * 100))
    show()
  })
  for (const input of [...focus, ...crop]) input?.addEventListener('input', show)
  show()
}

function show() {
  const [x = 0.5, y = 0.5] = partsOf(focus)
  mark?.setAttribute('cx', `${x * 100}%`)
  mark?.setAttribute('cy', `${y * 100}%`)
  const [left, top, width, height] = partsOf(crop)
  const hasCrop = left !== undefined && top !== undefined && width && height
  const picture = {
    ...{ width: Number(previews?.dataset.width), height: Number(previews?.dataset.height) },
    // As stored: the middle is no choice.
    focalPoint: x === 0.5 && y === 0.5 ? null : ([x, y] as [number, number]),
    crop: hasCrop ? { x: left, y: top, width, height } : null,
  }
  for (const preview of previews?.querySelectorAll<SVGElement>('[data-shape]') ?? []) {
    const part = partInFrame(picture, Number(preview.dataset.shape))
    preview.setAttribute('viewBox', [part.x, part.y, part.width, part.height].join(' '))
  }
}

/** Returns percentages as fractions; undefined for an empty input. */
function partsOf(inputs: readonly (HTMLInputElement | null)[] = []): (number | undefined)[] {
  return inputs.map((input) => {
    const percent = input?.valueAsNumber ?? Number.NaN
    return Number.isFinite(percent) ? percent / 100 : undefined
  })
}
