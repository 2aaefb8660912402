/**
 * Returns the stored text when a form posted it back untouched, else the posted one, trimmed. Browsers and the server
 * change line breaks and cut white space at the ends; an `<input>` (`isOneLine`) cannot hold a line break at all.
 */
export function postedText(
  posted: string,
  { stored, isOneLine = false }: { stored: string; isOneLine?: boolean },
): string {
  const shown = normalize(isOneLine ? stored.replace(/[\r\n]/g, '') : stored)
  return normalize(posted) === shown ? stored : normalize(posted)
}

function normalize(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim()
}
