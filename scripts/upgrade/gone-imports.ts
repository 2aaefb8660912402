import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../src/lib/is-missing.ts'

const SOURCE = /\.(?:astro|[cm]?[jt]sx?|mdx)$/

/** Lists what a site's sources import from the package that these exports no longer contain. */
export function listGoneImports(
  siteDir: string,
  exports: ReadonlySet<string>,
): { file: string; name: string }[] {
  return ['src', 'looks'].flatMap((folder) =>
    listSources(siteDir, folder).flatMap((file) => {
      const text = readFileSync(join(siteDir, file), 'utf8')
      const names = [...text.matchAll(/['"](signpost(?:\/[^'"]+)?)['"]/g)].map(([, name = '']) => name)
      const gone = names.filter(
        (name) => !exports.has(name.replace(/^signpost/, '.')) && !/^signpost\/src\//.test(name),
      )
      return gone.map((name) => ({ file, name }))
    }),
  )
}

function listSources(siteDir: string, folder: string): string[] {
  if (isMissing(join(siteDir, folder))) return []
  const files = readdirSync(join(siteDir, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => SOURCE.test(file))
    .sort()
    .map((file) => join(folder, file))
}
