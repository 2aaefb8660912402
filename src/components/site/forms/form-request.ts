const TIMEOUT_MS = 30_000

/** The response to an accepted post (contract §5); `body` is HTML. */
export interface Success {
  heading: string
  body: string
  redirect_url: string | null
}

/** The response to a post (contract §5). Status 0: no response arrived. */
export interface Answer {
  status: number
  /** Seconds the server asks to wait; 0 if it doesn't. */
  retryAfter: number
  success?: Success
  errors?: Record<string, string[]>
  title?: string
  detail?: string
}

/** Posts the body to the form's address. Doesn't use `fetch`, which can't report upload progress. */
export function postForm(
  form: HTMLFormElement,
  body: FormData,
  onProgress: (fraction: number) => void,
): Promise<Answer> {
  const isUpload = form.getAttribute('enctype') === 'multipart/form-data'
  const request = new XMLHttpRequest()
  request.open('POST', form.getAttribute('action') ?? '')
  request.setRequestHeader('accept', 'application/json')
  if (isUpload) request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
  else request.timeout = TIMEOUT_MS
  return new Promise((resolve) => {
    request.onloadend = () => resolve(answerOf(request))
    request.send(isUpload ? body : urlencoded(body))
  })
}

function urlencoded(body: FormData): URLSearchParams {
  return new URLSearchParams([...body].map(([name, value]) => [name, String(value)]))
}

function answerOf(request: XMLHttpRequest): Answer {
  const retryAfter = Number(request.getResponseHeader('retry-after')) || 0
  return { ...parseJson(request.responseText), status: request.status, retryAfter }
}

function parseJson(text: string): object {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
