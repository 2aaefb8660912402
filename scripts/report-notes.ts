import { locateBundle } from '../src/publish/render/bundle.ts'
import { readBundleNotes } from '../src/publish/render/bundle-notes.ts'

/**
 * Does the work and then prints the warnings about a site's components on stderr, also if its templates were built
 * earlier. Prints them after a failure too, because one of them may be the reason.
 */
export async function withNotes(projectDir: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    const { folder } = await locateBundle(projectDir)
    for (const note of readBundleNotes(folder)) process.stderr.write(`${note}\n`)
  }
}
