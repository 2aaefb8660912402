import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../src/lib/messages.ts'
import { newSiteTexts } from '../src/messages/command-line/new-site.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand } from './command-line.ts'
import { askQuestions, suggestedAnswers } from './new/answers.ts'
import { packageSpec } from './new/package-spec.ts'
import { shellWord } from './new/shell-word.ts'
import { siteContent } from './new/site-content.ts'
import { siteFiles } from './new/site-files.ts'

const OPTIONS = { yes: { type: 'boolean', default: false }, package: { type: 'string' } } as const

await runCommand(
  { usage: usages.new, options: OPTIONS, positionals: 1 },
  async ({ yes, package: wanted }, [folder = '']) => {
    const spec = packageSpec(folder, wanted)
    await refuseFull(folder)
    const answers = yes ? suggestedAnswers() : await askQuestions(process.stdin, process.stdout)
    const content = Object.entries(siteContent(answers)).map(
      ([path, text]) => [`content/${path}`, text] as const,
    )
    const files = Object.entries(siteFiles({ name: answers.name, spec }))
    for (const [path, text] of [...content, ...files]) {
      const file = join(folder, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
    console.log(newSiteTexts.made(folder, shellWord(folder)))
  },
)

async function refuseFull(folder: string) {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new Failure(newSiteTexts, 'notAFolder', folder)
    throw error
  })
  if (names.some((name) => name !== '.git')) throw new Failure(newSiteTexts, 'notEmpty', folder)
}
