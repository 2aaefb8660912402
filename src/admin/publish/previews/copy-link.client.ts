// Browsers offer the clipboard only over HTTPS and on localhost; elsewhere the link is selected by hand.
for (const part of document.querySelectorAll('[data-copy]')) {
  const [input, button] = [part.querySelector('input'), part.querySelector('button')]
  if (!input || !button) continue
  input.addEventListener('focus', () => input.select())
  button.hidden = !navigator.clipboard
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(input.value).then(
      () => true,
      () => false,
    )
    if (isCopied) button.textContent = button.dataset.copied ?? ''
    else input.focus()
  })
}
