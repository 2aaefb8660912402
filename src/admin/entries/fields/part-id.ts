/** Returns the ID of a field's part of the editor, which the menu of sections links to. */
export function partIdOf(key: string): string {
  return `part-${key}`
}
