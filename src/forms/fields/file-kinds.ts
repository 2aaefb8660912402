import type { Fault } from '../../messages/files/rules/rule.ts'

/** A kind of file that forms take. What is not in the list below is never taken: no HTML, SVG, scripts or programs. */
export interface FileKind {
  /** The media type it is stored and served with. */
  type: string
  /** Without the dot, in lower case. */
  extensions: readonly string[]
  /** What its first bytes are known as; empty for plain text, which has no mark. */
  sniffed: readonly string[]
  noun: string
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'
// Word, Excel and PowerPoint of before 2007 share one container.
const COMPOUND = ['application/x-cfb']

const PICTURES: readonly FileKind[] = [
  { ...kind('image/jpeg', ['jpg', 'jpeg', 'jfif']), noun: 'a JPEG picture' },
  { ...kind('image/png', ['png'], ['image/png', 'image/apng']), noun: 'a PNG picture' },
  { ...kind('image/gif', ['gif']), noun: 'a GIF picture' },
  { ...kind('image/webp', ['webp']), noun: 'a WebP picture' },
  { ...kind('image/avif', ['avif']), noun: 'an AVIF picture' },
  {
    ...kind('image/heic', ['heic', 'heif'], ['image/heic', 'image/heif', 'image/heic-sequence']),
    noun: 'a HEIC picture',
  },
  { ...kind('image/tiff', ['tif', 'tiff']), noun: 'a TIFF picture' },
  { ...kind('image/bmp', ['bmp']), noun: 'a BMP picture' },
]

const DOCUMENTS: readonly FileKind[] = [
  { ...kind('application/pdf', ['pdf']), noun: 'a PDF' },
  { ...kind(`${OFFICE}.wordprocessingml.document`, ['docx']), noun: 'a Word document' },
  { ...kind(`${OFFICE}.spreadsheetml.sheet`, ['xlsx']), noun: 'an Excel sheet' },
  { ...kind(`${OFFICE}.presentationml.presentation`, ['pptx']), noun: 'a PowerPoint file' },
  { ...kind('application/msword', ['doc'], COMPOUND), noun: 'a Word document' },
  { ...kind('application/vnd.ms-excel', ['xls'], COMPOUND), noun: 'an Excel sheet' },
  { ...kind('application/vnd.ms-powerpoint', ['ppt'], COMPOUND), noun: 'a PowerPoint file' },
  { ...kind(`${OPEN}.text`, ['odt']), noun: 'an OpenDocument text' },
  { ...kind(`${OPEN}.spreadsheet`, ['ods']), noun: 'an OpenDocument sheet' },
  { ...kind(`${OPEN}.presentation`, ['odp']), noun: 'an OpenDocument presentation' },
  { ...kind('application/rtf', ['rtf']), noun: 'an RTF document' },
  { ...kind('text/plain', ['txt', 'text', 'log'], []), noun: 'a text file' },
  { ...kind('text/markdown', ['md'], []), noun: 'a Markdown file' },
  { ...kind('text/csv', ['csv'], []), noun: 'a CSV file' },
  { ...kind('text/vcard', ['vcf'], []), noun: 'a contact card' },
  { ...kind('text/calendar', ['ics'], []), noun: 'a calendar file' },
]

const RECORDINGS: readonly FileKind[] = [
  { ...kind('audio/mpeg', ['mp3']), noun: 'an MP3 recording' },
  { ...kind('audio/mp4', ['m4a'], ['audio/x-m4a', 'audio/mp4']), noun: 'an M4A recording' },
  { ...kind('audio/wav', ['wav']), noun: 'a WAV recording' },
  {
    ...kind('audio/ogg', ['ogg', 'oga', 'opus'], ['audio/ogg', 'audio/ogg; codecs=opus']),
    noun: 'an Ogg recording',
  },
  { ...kind('video/mp4', ['mp4', 'm4v'], ['video/mp4', 'video/x-m4v']), noun: 'an MP4 video' },
  { ...kind('video/quicktime', ['mov']), noun: 'a QuickTime video' },
  { ...kind('video/webm', ['webm']), noun: 'a WebM video' },
]

const FILE_KINDS: readonly FileKind[] = [
  ...PICTURES,
  ...DOCUMENTS,
  ...RECORDINGS,
  { ...kind('application/zip', ['zip']), noun: 'a ZIP archive' },
]

const GROUP_NOUNS: Readonly<Record<string, string>> = {
  'image/*': 'a picture',
  'audio/*': 'a recording',
  'video/*': 'a video',
  'text/*': 'a text file',
}

/** `pdf` of `Offer.PDF`; empty when the name has none. */
function extensionOf(name: string): string {
  return /\.([^.\s]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** The kind of plain text that a file of this name claims to be. */
export function findTextKind(name: string): FileKind | undefined {
  const extension = extensionOf(name)
  return FILE_KINDS.find(({ extensions, sniffed }) => sniffed.length === 0 && extensions.includes(extension))
}

/**
 * The kind that both the name and the first bytes say, or undefined when they disagree. A name may have no extension; of
 * pictures the bytes decide, because phones and programs save one kind under the name of another.
 */
export function findSniffedKind(name: string, sniffed: string): FileKind | undefined {
  const extension = extensionOf(name)
  const isCalled = (one: FileKind) => one.extensions.includes(extension)
  const known = FILE_KINDS.filter((one) => one.sniffed.includes(sniffed))
  const isPicture = known.some((one) => PICTURES.includes(one)) && PICTURES.some(isCalled)
  return extension === '' || isPicture ? known[0] : known.find(isCalled)
}

/** Whether an `accept` list (`.pdf`, `image/*`, `image/png`) names files of this type; without a list all are. */
export function isAccepted(type: string, accept: readonly string[] | undefined): boolean {
  return accept === undefined || accept.some((token) => kindsOf(token).some((one) => one.type === type))
}

/** Why a part of `accept` cannot be used, or undefined. */
export function acceptProblem(token: string): Fault | undefined {
  if (kindsOf(token).length > 0) return undefined
  const known = FILE_KINDS.map(({ extensions }) => `.${extensions[0]}`)
  return { code: 'file_kind_unknown', params: { token, known } }
}

/** `a PDF or a picture`. */
export function describeAccepted(accept: readonly string[] | undefined): string {
  const tokens = accept ?? ['image/*', '.pdf', '.docx', '.xlsx', 'text/*']
  const nouns = tokens.map((token) => GROUP_NOUNS[normalise(token)] ?? kindsOf(token)[0]?.noun)
  const named = [...new Set(nouns.filter((noun) => noun !== undefined))]
  return named.length < 2
    ? (named[0] ?? 'another file')
    : `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`
}

function kindsOf(token: string): readonly FileKind[] {
  const wanted = normalise(token)
  if (wanted.startsWith('.'))
    return FILE_KINDS.filter(({ extensions }) => extensions.includes(wanted.slice(1)))
  if (wanted.endsWith('/*')) return FILE_KINDS.filter(({ type }) => type.startsWith(wanted.slice(0, -1)))
  return FILE_KINDS.filter(({ type }) => type === wanted)
}

function normalise(token: string): string {
  return token.trim().toLowerCase()
}

function kind(type: string, extensions: readonly string[], sniffed: readonly string[] = [type]) {
  return { type, extensions, sniffed }
}
