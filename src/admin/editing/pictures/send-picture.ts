/** The library's response to an upload. */
export interface UploadAnswer {
  added?: { id: number; text: string; name: string; image: string; alt: string | null }
  refused?: string
}

interface Sending {
  /** Its description, empty for a decorative picture. */
  alt?: string | undefined
  onProgress: (percent: number) => void
}

/** Sends one picture to the library. A response with neither part means that the connection was lost. */
export function sendPicture(file: File, { alt, onProgress }: Sending): Promise<UploadAnswer> {
  const { promise, resolve } = Promise.withResolvers<UploadAnswer>()
  // fetch doesn't report upload progress.
  const request = new XMLHttpRequest()
  const body = new FormData()
  body.append('files', file)
  if (alt === '') body.append('decorative', 'on')
  else if (alt !== undefined) body.append('alt', alt)
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    onProgress(total > 0 ? (100 * loaded) / total : 0)
  })
  request.addEventListener('error', () => resolve({}))
  request.addEventListener('load', () => resolve(readAnswer(request)))
  request.open('POST', '/admin/pictures/new')
  request.setRequestHeader('accept', 'application/json')
  request.send(body)
  return promise
}

function readAnswer({ responseText, status }: XMLHttpRequest): UploadAnswer {
  try {
    return JSON.parse(responseText) as UploadAnswer
  } catch {
    return status === 413 ? { refused: responseText } : {}
  }
}
