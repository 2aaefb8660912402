import '@github/markdown-toolbar-element'

for (const field of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-markdown]')) {
  const toolbar = document.querySelector<HTMLElement>(`markdown-toolbar[for="${CSS.escape(field.id)}"]`)
  if (!toolbar) continue
  toolbar.hidden = false
  field.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    const button = toolbar.querySelector<HTMLElement>(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`)
    if (!button) return
    event.preventDefault()
    button.click()
  })
}
