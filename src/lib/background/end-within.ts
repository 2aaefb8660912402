/** Resolves with the result of `work`; throws the message after `withinMs`. The work itself continues unobserved. */
export async function endWithin<T>(
  { withinMs, message }: { withinMs: number; message: (seconds: number) => string },
  work: () => T | Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(message(withinMs / 1_000))), withinMs)
  try {
    return await Promise.race([Promise.resolve().then(work), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
