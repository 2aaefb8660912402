import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { supplyChainTexts } from '../../src/messages/command-line/supply-chain.ts'
import { usages } from '../../src/messages/command-line/usage.ts'
import { runCommand } from '../command-line.ts'
import { idOf, type LockedPackage, readLock } from './lockfile.ts'

const ROOT = new URL('../../', import.meta.url)
const FOLDER = new URL('dist/', ROOT)
const NAME = 'sbom.cdx.json'

await runCommand({ usage: usages.sbom, options: {} }, async () => {
  const { program, packages } = await readLock(new URL('package-lock.json', ROOT))
  const shipped = packages.filter(({ isDevelopment }) => !isDevelopment)
  await mkdir(FOLDER, { recursive: true })
  await writeFile(new URL(NAME, FOLDER), `${JSON.stringify(describe(program, shipped), null, 2)}\n`)
  console.log(supplyChainTexts.sbomWritten(`dist/${NAME}`, shipped.length))
})

/**
 * Makes a software bill of materials (CycloneDX 1.5). Based on the lock file, because `npm sbom --omit dev` leaves
 * out shipped packages that a development package needs too. Contains no time, so that the same lock file gives the
 * same bytes.
 */
function describe(program: LockedPackage, shipped: readonly LockedPackage[]) {
  const refs = new Set(shipped.map(idOf))
  const content = {
    version: 1,
    metadata: { component: { ...componentOf(program), type: 'application' } },
    components: shipped.map(componentOf),
    dependencies: [program, ...shipped].map((one) => ({
      ref: idOf(one),
      dependsOn: [...new Set(one.dependsOn)].filter((id) => refs.has(id)),
    })),
  }
  return { bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: serialNumberOf(content), ...content }
}

function componentOf(one: LockedPackage) {
  const { name, version, integrity, license } = one
  const [, algorithm = '', base64 = ''] = /^(sha\d+)-(.*)$/.exec(integrity) ?? []
  const hash = {
    alg: algorithm.replace('sha', 'SHA-'),
    content: Buffer.from(base64, 'base64').toString('hex'),
  }
  return {
    type: 'library',
    'bom-ref': idOf(one),
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(base64 && { hashes: [hash] }),
    licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
  }
}

// RFC 9562 §5.8: version 8, whose bits are ours.
function serialNumberOf(content: object): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')}`
}
