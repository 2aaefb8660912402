// In forms with `data-passkey`, the browser uses or creates a passkey and posts the device's answer. Without passkey
// support, they stay hidden or show a message if they have one.
const CHALLENGE_MS = 4 * 60_000

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  const problem = form.querySelector<HTMLElement>('[data-problem]')
  const answer = form.querySelector<HTMLInputElement>('input[name="passkey"]')
  const { options = '', passkey: kind, autofill } = form.dataset
  let running: AbortController | undefined
  let again: ReturnType<typeof setTimeout> | undefined

  async function ask(mediation?: CredentialMediationRequirement) {
    running?.abort()
    running = new AbortController()
    const { signal } = running
    const response = await fetch(options, { method: 'POST', signal })
    // The password was confirmed too long ago, so the page asks for it.
    if (response.redirected) return location.reload()
    if (!response.ok) throw new Error('unavailable')
    const asked = await response.json()
    const credential =
      kind === 'create'
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked),
            signal,
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked),
            signal,
            ...(mediation && { mediation }),
          })
    if (!(credential instanceof PublicKeyCredential) || !answer) return
    answer.value = JSON.stringify(credential)
    form.submit()
  }

  function tell({ name, message }: Error) {
    if (!problem || name === 'AbortError') return
    const { canceled, registered = canceled, unavailable } = problem.dataset
    const isCanceled = name === 'NotAllowedError'
    problem.textContent =
      (name === 'InvalidStateError' ? registered : isCanceled ? canceled : unavailable) ?? message
    problem.hidden = false
  }

  // Browsers offer passkeys in autofill. A challenge expires, so each is used only for a while.
  async function offer() {
    const isOffered = await PublicKeyCredential.isConditionalMediationAvailable?.()
    if (!isOffered) return
    again = setTimeout(offer, CHALLENGE_MS)
    await ask('conditional').catch(({ name }: Error) => name !== 'AbortError' && clearTimeout(again))
  }

  const isSupported =
    window.isSecureContext &&
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  if (isSupported) {
    for (const part of form.querySelectorAll<HTMLElement>('[data-with-passkeys]')) part.hidden = false
    for (const part of form.querySelectorAll<HTMLElement>('[data-without-passkeys]')) part.hidden = true
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (problem) problem.hidden = true
      clearTimeout(again)
      ask().catch((error) => {
        tell(error)
        if (autofill !== undefined) void offer()
      })
    })
    if (autofill !== undefined) void offer()
  }
}
