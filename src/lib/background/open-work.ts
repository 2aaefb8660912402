/** Work that is ending, by name, and the parts that have not ended yet. */
export type OpenWork = ReturnType<typeof createOpenWork>

export function createOpenWork() {
  const open = new Set<string>()
  return {
    /** Waits for all of it. Throws as soon as one part fails, and that part stays open. */
    async end(parts: Readonly<Record<string, Promise<unknown> | undefined>>): Promise<void> {
      for (const name of Object.keys(parts)) open.add(name)
      const ended = Object.entries(parts).map(async ([name, part]) => {
        await part
        open.delete(name)
      })
      await Promise.all(ended)
    },
    names: (): string[] => [...open],
  }
}
