const list = new Intl.ListFormat('en', { type: 'disjunction' })

const NOUNS: Readonly<Record<string, string>> = {
  'image/*': 'a picture',
  'audio/*': 'an audio file',
  'video/*': 'a video',
  'text/*': 'a text file',
  'image/jpeg': 'a JPEG picture',
  'image/png': 'a PNG picture',
  'image/gif': 'a GIF picture',
  'image/webp': 'a WebP picture',
  'image/avif': 'an AVIF picture',
  'image/heic': 'a HEIC picture',
  'image/tiff': 'a TIFF picture',
  'image/bmp': 'a BMP picture',
  'application/pdf': 'a PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'a Word document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'an Excel spreadsheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'a PowerPoint presentation',
  'application/msword': 'a Word document',
  'application/vnd.ms-excel': 'an Excel spreadsheet',
  'application/vnd.ms-powerpoint': 'a PowerPoint presentation',
  'application/vnd.oasis.opendocument.text': 'an OpenDocument text file',
  'application/vnd.oasis.opendocument.spreadsheet': 'an OpenDocument spreadsheet',
  'application/vnd.oasis.opendocument.presentation': 'an OpenDocument presentation',
  'application/rtf': 'an RTF document',
  'application/zip': 'a ZIP archive',
  'text/plain': 'a text file',
  'text/markdown': 'a Markdown file',
  'text/csv': 'a CSV file',
  'text/vcard': 'a contact card',
  'text/calendar': 'a calendar file',
  'audio/mpeg': 'an MP3 file',
  'audio/mp4': 'an M4A file',
  'audio/wav': 'a WAV file',
  'audio/ogg': 'an Ogg audio file',
  'video/mp4': 'an MP4 video',
  'video/quicktime': 'a QuickTime video',
  'video/webm': 'a WebM video',
}

/** `a PDF or a picture`: what files of these media types, or groups of them such as `image/*`, are called. */
export function nameFileKinds(types: readonly string[]): string {
  const nouns = types.map((type) => NOUNS[type]).filter((noun) => noun !== undefined)
  return nouns.length === 0 ? 'another file' : list.format(new Set(nouns))
}
