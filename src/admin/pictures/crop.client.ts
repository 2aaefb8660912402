// Draws the crop on the picture: dragging draws a frame, moves it, or pulls its edges and corners. Arrow keys move the
// frame, resize it with Shift, and move a corner. The four inputs remain and are what is posted.
type Frame = Record<(typeof NAMES)[number], number>

const NAMES = ['left', 'top', 'width', 'height'] as const
/** The library's own limits, in percent. */
const SMALLEST = 5
const STEP = 1
const EMPTY: Frame = { left: 0, top: 0, width: 0, height: 0 }
const MOUSE_PIXELS = 12
const FINGER_PIXELS = 24
const KEYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

const area = document.querySelector<HTMLElement>('[data-focus]')
const frame = area?.querySelector<HTMLButtonElement>('[data-crop-frame]')
const corners = [...(area?.querySelectorAll<HTMLElement>('[data-crop-corner]') ?? [])]
const tools = document.querySelector<HTMLElement>('[data-crop-tools]')
const draw = tools?.querySelector<HTMLButtonElement>('[data-draw-crop]')
const whole = tools?.querySelector<HTMLButtonElement>('[data-whole-picture]')
const inputs = NAMES.map((name) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`))

if (area && frame && tools && draw && whole) {
  tools.hidden = false
  draw.addEventListener('click', () => setDrawing(draw.getAttribute('aria-pressed') !== 'true'))
  whole.addEventListener('click', () => write(undefined))
  area.addEventListener('pointerdown', begin)
  area.addEventListener('dragstart', (event) => event.preventDefault())
  frame.addEventListener('keydown', moveByKey)
  for (const corner of corners) corner.addEventListener('keydown', (event) => moveCorner(event, corner))
  for (const input of inputs) input?.addEventListener('input', show)
  show()
}

function setDrawing(isDrawing: boolean) {
  draw?.setAttribute('aria-pressed', String(isDrawing))
  area?.toggleAttribute('data-cropping', isDrawing)
  if (!isDrawing) return
  if (!read()) write({ left: 10, top: 10, width: 80, height: 80 })
  frame?.focus()
}

function read(): Frame | undefined {
  const [left, top, width, height] = inputs.map((input) => input?.valueAsNumber ?? Number.NaN)
  const values = { left, top, width, height }
  return Object.values(values).every(Number.isFinite) ? (values as Frame) : undefined
}

function write(crop: Frame | undefined) {
  for (const [index, name] of NAMES.entries()) {
    const input = inputs[index]
    if (!input) continue
    input.value = crop ? String(Math.round(crop[name] * 10) / 10) : ''
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

function show() {
  const crop = read()
  if (!frame) return
  frame.hidden = crop === undefined
  for (const name of NAMES) frame.style[name] = `${crop?.[name] ?? 0}%`
  for (const corner of corners) {
    corner.hidden = crop === undefined
    const { x, y } = pointAt(crop ?? EMPTY, edgesOf(corner))
    Object.assign(corner.style, { left: `${x}%`, top: `${y}%` })
  }
}

interface Point {
  x: number
  y: number
}

function begin(event: PointerEvent) {
  if (!area?.hasAttribute('data-cropping')) return
  event.preventDefault()
  const [from, before] = [pointOf(event), read()]
  const corner = corners.find((one) => one === event.target)
  const isInside = (corner !== undefined || event.target === frame) && before !== undefined
  const edges = corner ? edgesOf(corner) : isInside ? edgesAt(event) : []
  const drag = (move: PointerEvent) => {
    const to = pointOf(move)
    if (!isInside) return write(between(from, to))
    const by = { x: to.x - from.x, y: to.y - from.y }
    write(edges.length > 0 ? pulled(before, edges, by) : moved(before, by.x, by.y))
  }
  area.setPointerCapture(event.pointerId)
  area.addEventListener('pointermove', drag)
  const end = () => area.removeEventListener('pointermove', drag)
  area.addEventListener('pointerup', end, { once: true })
  area.addEventListener('pointercancel', end, { once: true })
  ;(corner ?? frame)?.focus()
}

function pointOf({ clientX, clientY }: PointerEvent): Point {
  const { left = 0, top = 0, width = 1, height = 1 } = area?.getBoundingClientRect() ?? {}
  return { x: within(((clientX - left) / width) * 100), y: within(((clientY - top) / height) * 100) }
}

type Edge = 'left' | 'top' | 'right' | 'bottom'

function edgesOf(corner: HTMLElement): Edge[] {
  return (corner.dataset.cropCorner ?? '').split(' ') as Edge[]
}

/** Returns the corner between two edges. */
function pointAt({ left, top, width, height }: Frame, edges: readonly Edge[]): Point {
  return {
    x: edges.includes('right') ? left + width : left,
    y: edges.includes('bottom') ? top + height : top,
  }
}

function pulled(crop: Frame, edges: readonly Edge[], by: Point): Frame {
  const { x, y } = pointAt(crop, edges)
  return stretched(crop, edges, { x: within(x + by.x), y: within(y + by.y) })
}

// The frame edges that a finger or pointer can grab.
function edgesAt({ clientX, clientY, pointerType }: PointerEvent): Edge[] {
  const box = frame?.getBoundingClientRect()
  if (!box) return []
  const near = pointerType === 'mouse' ? MOUSE_PIXELS : FINGER_PIXELS
  const far = {
    left: clientX - box.left,
    right: box.right - clientX,
    top: clientY - box.top,
    bottom: box.bottom - clientY,
  }
  return (Object.keys(far) as Edge[]).filter((edge) => far[edge] < near)
}

function stretched({ left, top, width, height }: Frame, edges: readonly Edge[], to: Point): Frame {
  const [right, bottom] = [left + width, top + height]
  const x = edges.includes('left') ? Math.min(to.x, right - SMALLEST) : left
  const y = edges.includes('top') ? Math.min(to.y, bottom - SMALLEST) : top
  const end = {
    x: edges.includes('right') ? Math.max(to.x, left + SMALLEST) : right,
    y: edges.includes('bottom') ? Math.max(to.y, top + SMALLEST) : bottom,
  }
  return { left: x, top: y, width: end.x - x, height: end.y - y }
}

function between(from: Point, to: Point): Frame {
  const width = Math.max(SMALLEST, Math.abs(to.x - from.x))
  const height = Math.max(SMALLEST, Math.abs(to.y - from.y))
  const [left, top] = [Math.min(from.x, to.x, 100 - width), Math.min(from.y, to.y, 100 - height)]
  return { left, top, width, height }
}

function moved(crop: Frame, x: number, y: number): Frame {
  return {
    ...crop,
    left: within(crop.left + x, 100 - crop.width),
    top: within(crop.top + y, 100 - crop.height),
  }
}

function resized(crop: Frame, x: number, y: number): Frame {
  const width = Math.max(SMALLEST, within(crop.width + x, 100 - crop.left))
  return { ...crop, width, height: Math.max(SMALLEST, within(crop.height + y, 100 - crop.top)) }
}

function moveByKey(event: KeyboardEvent) {
  const [step, crop] = [KEYS[event.key], read()]
  if (!step || !crop) return
  event.preventDefault()
  write((event.shiftKey ? resized : moved)(crop, ...step))
}

function moveCorner(event: KeyboardEvent, corner: HTMLElement) {
  const [step, crop] = [KEYS[event.key], read()]
  if (!step || !crop) return
  event.preventDefault()
  write(pulled(crop, edgesOf(corner), { x: step[0], y: step[1] }))
}

function within(percent: number, most = 100): number {
  return Math.min(most, Math.max(0, percent))
}

export {}
