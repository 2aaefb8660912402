import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../src/lib/is-missing.ts'

const SOURCE = /\.(?:astro|[cm]?[jt]sx?|mdx)$/

/** Lists what a site's sources import from the package that these exports no longer contain. */
export function listGoneImports(
  siteDir: string,
  exports: ReadonlySet<string>,
): { file: string; name: string }[] {
  const folder = join(siteDir, 'src')
  if (isMissing(folder)) return []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => SOURCE.test(file))
  return files.sort().flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const names = [...text.matchAll(/['"](signpost(?:\/[^'"]+)?)['"]/g)].map(([, name = '']) => name)
    const gone = names.filter(
      (name) => !exports.has(name.replace(/^signpost/, '.')) && !/^signpost\/src\//.test(name),
    )
    return gone.map((name) => ({ file: join('src', file), name }))
  })
}
