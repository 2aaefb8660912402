const HIDDEN = '[hidden]'
/** A shorter text is hidden only as a whole word, because it may be part of any other. */
const UNMISTAKABLE = 6

/**
 * Returns a function that hides the user name and password of a mail server in its messages, also in the encodings in
 * which a client sends them: servers may quote the failed command.
 */
export function hideSignIn(smtpUrl: string): (text: string) => string {
  const { username, password } = new URL(smtpUrl)
  const plain = [username, password].filter(Boolean).map(decodeURIComponent)
  const [user = '', secret = ''] = plain
  const sent = [...plain, ...(user ? [`\0${user}\0${secret}`, `${user}\0${user}\0${secret}`] : [])]
  const forms = [...plain, username, password, ...sent.map(base64)].filter(Boolean)
  if (forms.length === 0) return (text) => text
  // Longest first: a password may contain the user name.
  const longest = [...new Set(forms)].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longest.map(patternOf).join('|'), 'gu')
  return (text) => text.replace(pattern, HIDDEN)
}

function patternOf(form: string): string {
  const exact = RegExp.escape(form)
  return form.length >= UNMISTAKABLE ? exact : `(?<![\\p{L}\\p{N}])${exact}(?![\\p{L}\\p{N}])`
}

// Without padding, which a quote may leave out.
function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/=+$/, '')
}
