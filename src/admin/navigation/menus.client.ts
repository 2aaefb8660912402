// Closes open menus on a click elsewhere and on Escape. Without JavaScript, their button closes them.
const OPEN = 'details[data-menu][open]'

addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(OPEN))
    if (!(target instanceof Node && menu.contains(target))) menu.open = false
})

addEventListener('keydown', ({ key, target }) => {
  const menu = key === 'Escape' && target instanceof Element && target.closest<HTMLDetailsElement>(OPEN)
  if (!menu) return
  menu.open = false
  menu.querySelector('summary')?.focus()
})

// A browser can't show what is wrong with a field in a closed menu, and Save would seem to do nothing.
addEventListener(
  'invalid',
  ({ target }) => {
    const menu = target instanceof Element && target.closest<HTMLDetailsElement>('details[data-menu]')
    if (menu) menu.open = true
  },
  { capture: true },
)
