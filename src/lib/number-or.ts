/** The number that a text says; what is no number comes back as it is, to be refused with the rest. */
export function numberOr(text: string): number | string {
  return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
}
