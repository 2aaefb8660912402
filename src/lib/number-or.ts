/** Returns the number in a text, or the value unchanged if it is not a number, so that the schema refuses it. */
export function numberOr(text: string): number | string {
  return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
}
