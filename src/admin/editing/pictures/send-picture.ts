import type { PictureOption } from './picture-option.ts'

/** The library's response to an upload. */
export interface UploadAnswer {
  added?: PictureOption & { text: string }
  refused?: string
}

interface Sending {
  /** Its description, empty for a decorative picture. */
  alt: string
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
  else body.append('alt', alt)
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

/** Describes a picture of the library. A response without a picture means that the connection was lost. */
export async function describePicture(picture: PictureOption, alt: string): Promise<UploadAnswer> {
  const given = alt === '' ? { [`decorative.${picture.id}`]: 'on' } : { [`alt.${picture.id}`]: alt }
  const body = new URLSearchParams(given)
  const path = `/admin/pictures/descriptions?picture=${picture.id}`
  const answer = await fetch(path, { method: 'POST', body }).catch(() => undefined)
  return answer?.ok ? { added: { ...picture, alt, text: '' } } : {}
}
