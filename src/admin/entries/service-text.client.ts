import { showsServiceText } from '#src/entries/offers/service-text.ts'

// Says while typing whether the page shows the service's text.
const section = document.querySelector<HTMLElement>('#text')
const text = section?.querySelector<HTMLTextAreaElement>('[name=body]')
text?.addEventListener('input', () => {
  section?.toggleAttribute('data-both', text.value !== '' && showsServiceText(text.value))
})
