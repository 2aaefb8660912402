import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/database.ts'
import { PROJECT_DIR, runScript } from '../support/running-site.ts'

interface Component {
  'bom-ref': string
  type: string
  name: string
  version: string
  purl: string
  hashes?: { alg: string; content: string }[]
  licenses: unknown[]
}

const read = (path: string) => readFileSync(join(PROJECT_DIR, path), 'utf8')

test('npm run sbom lists every shipped package in CycloneDX, reproducibly', async (t) => {
  const write = async () => {
    const { code, output } = await runScript('supply-chain/sbom.ts', { dataDir: temporaryFolder(t) })
    assert.equal(code, 0, output)
    return read('dist/sbom.cdx.json')
  }
  const text = await write()
  assert.equal(await write(), text)
  const bom = JSON.parse(text)
  const components: Component[] = bom.components

  assert.deepEqual([bom.bomFormat, bom.specVersion, bom.version], ['CycloneDX', '1.5', 1])
  assert.match(bom.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(bom.metadata.component.name, 'signpost')
  for (const { type, name, version, purl, hashes, licenses } of components) {
    assert.equal(type, 'library', name)
    assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`)
    if (hashes) assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/, name)
    assert.ok(licenses.length > 0, name)
  }
  const refs = [`signpost@${bom.metadata.component.version}`, ...components.map((one) => one['bom-ref'])]
  assert.equal(new Set(refs).size, refs.length)
  const named = bom.dependencies.flatMap(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [
    ref,
    ...dependsOn,
  ])
  assert.deepEqual(new Set(named).difference(new Set(refs)), new Set())

  const lock: Record<string, { version: string; integrity?: string; dev?: boolean }> = JSON.parse(
    read('package-lock.json'),
  ).packages
  const shipped = Object.entries(lock).flatMap(([place, { version, integrity, dev }]) =>
    place === '' || dev
      ? []
      : `${place.replace(/^.*node_modules\//, '')}@${version} ${integrity !== undefined}`,
  )
  assert.deepEqual(
    new Set(components.map(({ name, version, hashes }) => `${name}@${version} ${hashes !== undefined}`)),
    new Set(shipped),
  )
})
