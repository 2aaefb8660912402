import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand } from './command-line.ts'
import { listTexts } from './words/list-texts.ts'

await runCommand({ usage: usages.words, options: {} }, async () => {
  for (const [area, texts] of await listTexts()) {
    console.log(`\n${area}`)
    for (const { key, text } of texts) console.log(`  ${key}: ${text.replaceAll('\n', '\n    ')}`)
  }
})
