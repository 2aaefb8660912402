// Imports point one way (the README's map of folders). A feature never imports one of its own rank.
const FEATURES = 'auth|forms|webhooks|taxonomies'
const JOINING = 'submissions|entries'
const ABOVE = {
  lib: `db|${FEATURES}|${JOINING}|site|content-files|publish|server|app\\.ts|config\\.ts`,
  db: `${FEATURES}|${JOINING}|site|content-files|publish|server|app\\.ts|config\\.ts`,
  [`(${FEATURES})`]: `${JOINING}|site|content-files|publish|server|app\\.ts|config\\.ts`,
  [`(${JOINING})`]: 'site|content-files|publish|server|app\\.ts|config\\.ts',
  site: 'content-files|publish|server|app\\.ts|config\\.ts',
  '(content-files|publish)': 'server|app\\.ts|config\\.ts',
}

const upward = Object.entries(ABOVE).map(([folder, above]) => ({
  name: `no-upward-import-from-${folder.replace(/[^a-z|-]/g, '')}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: `^src/(${above})(/|$)` },
}))

const sideways = [FEATURES, JOINING, 'content-files|publish'].map((rank) => ({
  name: `no-sideways-import-between-${rank}`,
  severity: 'error',
  from: { path: `^src/(${rank})/` },
  to: { path: `^src/(${rank})/`, pathNot: '^src/$1/' },
}))

module.exports = {
  forbidden: [
    ...upward,
    ...sideways,
    {
      name: 'features-run-under-bare-node',
      comment: 'Nothing below the Astro edge imports Astro.',
      severity: 'error',
      from: {
        path: '^src/(lib|db|auth|forms|webhooks|taxonomies|submissions|entries|site|content-files|publish)/',
      },
      to: { path: '^astro($|:|/)|node_modules/(astro|@astrojs)/' },
    },
    {
      name: 'sql-stands-in-stores',
      comment: 'Kysely is imported by stores, the db folder and migrations only (types are free).',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/db/|-store\\.ts$|^src/app\\.ts$' },
      to: { path: 'node_modules/kysely/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/' },
      to: { path: '^tests/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.d.ts'] },
  },
}
