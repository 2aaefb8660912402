import { sendingTexts } from '#src/messages/visitor/forms.ts'

/** The texts of the button and of the line below it. */
export interface SendStatus {
  isBusy(): boolean
  setBusy(isBusy: boolean): void
  /** Shown, and announced by screen readers. An empty text clears it. */
  say(text: string): void
  /** Shows upload progress, from 0 to 1. */
  showProgress(fraction: number): void
}

export function createSendStatus(button: HTMLButtonElement): SendStatus {
  const sendText = button.textContent
  const line = document.createElement('p')
  line.setAttribute('role', 'status')
  button.after(line)
  const bar = document.createElement('progress')
  bar.setAttribute('aria-label', sendingTexts.upload)

  return {
    isBusy: () => button.getAttribute('aria-disabled') === 'true',
    setBusy(isBusy) {
      // Not `disabled`, which would lose the focus.
      button.setAttribute('aria-disabled', String(isBusy))
      button.textContent = isBusy ? sendingTexts.sending : sendText
      line.textContent = ''
    },
    say(text) {
      line.textContent = text
    },
    showProgress(fraction) {
      bar.value = fraction
      if (!line.contains(bar)) line.replaceChildren(bar)
    },
  }
}
