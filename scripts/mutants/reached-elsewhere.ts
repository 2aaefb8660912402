import { appendFileSync } from 'node:fs'

// Loaded first in each thread and process that a test starts. The test runner sees only the mutants that its own
// process reaches, so this one writes the IDs of the others to a file.
const file = process.env.REACHED_MUTANTS
if (file !== undefined) {
  const { INSTRUMENTER_CONSTANTS } = await import('@stryker-mutator/api/core')
  const noted = new Set<string | symbol>()
  const counts = new Proxy<Record<string, number>>(
    {},
    {
      set(_, id) {
        if (!noted.has(id)) appendFileSync(file, `${String(id)}\n`)
        noted.add(id)
        return true
      },
    },
  )
  const mutantCoverage = { static: counts, perTest: { test: counts } }
  Object.assign(globalThis, {
    [INSTRUMENTER_CONSTANTS.NAMESPACE]: { currentTestId: 'test', mutantCoverage },
  })
}
