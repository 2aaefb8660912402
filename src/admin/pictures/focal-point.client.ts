// Sets the focal point by clicking the picture, and shows it. The two inputs remain and are what is posted.
const frame = document.querySelector<HTMLElement>('[data-focus]')
const mark = frame?.querySelector<HTMLElement>('[data-focus-mark]')
const inputs = ['focus_x', 'focus_y'].map((name) =>
  document.querySelector<HTMLInputElement>(`[name="${name}"]`),
)

if (frame && mark) {
  mark.hidden = false
  document.querySelector('[data-focus-help]')?.removeAttribute('hidden')
  frame.classList.add('cursor-crosshair')
  frame.addEventListener('click', (event) => {
    if (frame.hasAttribute('data-cropping')) return
    const { left, top, width, height } = frame.getBoundingClientRect()
    const parts = [(event.clientX - left) / width, (event.clientY - top) / height]
    for (const [index, input] of inputs.entries())
      if (input) input.value = String(Math.round(Math.min(1, Math.max(0, parts[index] ?? 0)) * 100))
    show()
  })
  for (const input of inputs) input?.addEventListener('input', show)
  show()
}

function show() {
  const [x, y] = inputs.map((input) => `${input?.valueAsNumber || 0}%`)
  if (mark && x && y) Object.assign(mark.style, { left: x, top: y })
}

export {}
