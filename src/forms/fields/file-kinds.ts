import type { Fault } from '../../messages/files/rules/rule.ts'
import { nameFileKinds } from '../../messages/visitor/file-kinds.ts'

/** A file type that forms accept. Anything not listed below is refused: no HTML, SVG, scripts, or programs. */
export interface FileKind {
  /** The media type it is stored and served with. */
  type: string
  /** Lower case, without the dot. */
  extensions: readonly string[]
  /** The media types that its first bytes identify; empty for plain text, which has no signature. */
  sniffed: readonly string[]
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'
// Word, Excel, and PowerPoint files from before 2007 share one container.
const COMPOUND = ['application/x-cfb']

const PICTURES: readonly FileKind[] = [
  kind('image/jpeg', ['jpg', 'jpeg', 'jfif']),
  kind('image/png', ['png'], ['image/png', 'image/apng']),
  kind('image/gif', ['gif']),
  kind('image/webp', ['webp']),
  kind('image/avif', ['avif']),
  kind('image/heic', ['heic', 'heif'], ['image/heic', 'image/heif', 'image/heic-sequence']),
  kind('image/tiff', ['tif', 'tiff']),
  kind('image/bmp', ['bmp']),
]

const DOCUMENTS: readonly FileKind[] = [
  kind('application/pdf', ['pdf']),
  kind(`${OFFICE}.wordprocessingml.document`, ['docx']),
  kind(`${OFFICE}.spreadsheetml.sheet`, ['xlsx']),
  kind(`${OFFICE}.presentationml.presentation`, ['pptx']),
  kind('application/msword', ['doc'], COMPOUND),
  kind('application/vnd.ms-excel', ['xls'], COMPOUND),
  kind('application/vnd.ms-powerpoint', ['ppt'], COMPOUND),
  kind(`${OPEN}.text`, ['odt']),
  kind(`${OPEN}.spreadsheet`, ['ods']),
  kind(`${OPEN}.presentation`, ['odp']),
  kind('application/rtf', ['rtf']),
  kind('text/plain', ['txt', 'text', 'log'], []),
  kind('text/markdown', ['md'], []),
  kind('text/csv', ['csv'], []),
  kind('text/vcard', ['vcf'], []),
  kind('text/calendar', ['ics'], []),
]

const RECORDINGS: readonly FileKind[] = [
  kind('audio/mpeg', ['mp3']),
  kind('audio/mp4', ['m4a'], ['audio/x-m4a', 'audio/mp4']),
  kind('audio/wav', ['wav']),
  kind('audio/ogg', ['ogg', 'oga', 'opus'], ['audio/ogg', 'audio/ogg; codecs=opus']),
  kind('video/mp4', ['mp4', 'm4v'], ['video/mp4', 'video/x-m4v']),
  kind('video/quicktime', ['mov']),
  kind('video/webm', ['webm']),
]

const FILE_KINDS: readonly FileKind[] = [
  ...PICTURES,
  ...DOCUMENTS,
  ...RECORDINGS,
  kind('application/zip', ['zip']),
]

/** Returns `pdf` for `Offer.PDF`; empty if the name has no extension. */
function extensionOf(name: string): string {
  return /\.([^.\s]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** Returns the kind of plain text that a file name suggests. */
export function findTextKind(name: string): FileKind | undefined {
  const extension = extensionOf(name)
  return FILE_KINDS.find(({ extensions, sniffed }) => sniffed.length === 0 && extensions.includes(extension))
}

/**
 * Returns the type that both the name and the first bytes indicate; undefined if they disagree. A name may
 * have no extension. For pictures the bytes decide, because phones and programs often save one format under
 * another's name.
 */
export function findSniffedKind(name: string, sniffed: string): FileKind | undefined {
  const extension = extensionOf(name)
  const isCalled = (one: FileKind) => one.extensions.includes(extension)
  const known = FILE_KINDS.filter((one) => one.sniffed.includes(sniffed))
  const isPicture = known.some((one) => PICTURES.includes(one)) && PICTURES.some(isCalled)
  return extension === '' || isPicture ? known[0] : known.find(isCalled)
}

/**
 * Returns whether an `accept` list (`.pdf`, `image/*`, `image/png`) includes this type. Without a list, every
 * type is included.
 */
export function isAccepted(type: string, accept: readonly string[] | undefined): boolean {
  return accept === undefined || accept.some((token) => kindsOf(token).some((one) => one.type === type))
}

/** Returns why a part of `accept` can't be used, or undefined. */
export function acceptProblem(token: string): Fault | undefined {
  if (kindsOf(token).length > 0) return undefined
  const known = FILE_KINDS.map(({ extensions }) => `.${extensions[0]}`)
  return { code: 'file_kind_unknown', params: { token, known } }
}

/** Joins names: `a PDF or a picture`. */
export function describeAccepted(accept: readonly string[] | undefined): string {
  const tokens = accept ?? ['image/*', '.pdf', '.docx', '.xlsx', 'text/*']
  const types = tokens.map(normalize).map((token) => (token.endsWith('/*') ? token : kindsOf(token)[0]?.type))
  return nameFileKinds(types.filter((type) => type !== undefined))
}

function kindsOf(token: string): readonly FileKind[] {
  const wanted = normalize(token)
  if (wanted.startsWith('.'))
    return FILE_KINDS.filter(({ extensions }) => extensions.includes(wanted.slice(1)))
  if (wanted.endsWith('/*')) return FILE_KINDS.filter(({ type }) => type.startsWith(wanted.slice(0, -1)))
  return FILE_KINDS.filter(({ type }) => type === wanted)
}

function normalize(token: string): string {
  return token.trim().toLowerCase()
}

function kind(type: string, extensions: readonly string[], sniffed: readonly string[] = [type]) {
  return { type, extensions, sniffed }
}
