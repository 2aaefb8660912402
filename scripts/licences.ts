import { readFile } from 'node:fs/promises'
import { supplyChainTexts } from '../src/messages/command-line/supply-chain.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand } from './command-line.ts'

interface LockedPackage {
  version: string
  license?: string
  dev?: boolean
}

await runCommand({ usage: usages.licences, options: {} }, async () => {
  const lock = JSON.parse(await readFile(new URL('../package-lock.json', import.meta.url), 'utf8'))
  const packages = Object.entries(lock.packages as Record<string, LockedPackage>)
  for (const [path, { version, license, dev }] of packages) {
    if (path === '' || dev) continue
    console.log(
      `${path.replace(/^.*node_modules\//, '')}@${version}  ${license ?? supplyChainTexts.licenseUnknown}`,
    )
  }
})
