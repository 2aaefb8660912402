/** Work that is being ended, by name, and what of it has not come to its end. */
export interface OpenWork {
  /** Waits for all of it; throws as soon as one part fails, which stays open. */
  end(parts: Readonly<Record<string, Promise<unknown> | undefined>>): Promise<void>
  names(): string[]
}

export function createOpenWork(): OpenWork {
  const open = new Set<string>()
  return {
    async end(parts) {
      for (const name of Object.keys(parts)) open.add(name)
      const ended = Object.entries(parts).map(async ([name, part]) => {
        await part
        open.delete(name)
      })
      await Promise.all(ended)
    },
    names: () => [...open],
  }
}
