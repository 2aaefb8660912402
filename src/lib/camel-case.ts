/** `nextAttemptAt` of `next_attempt_at`. */
export type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** Returns `nextAttemptAt` for `next_attempt_at`. */
export function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
