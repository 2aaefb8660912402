// Imports point one way (docs/architecture.md): a name imports only what stands above it in this list, and
// features never one of their own rank.
const RANKS = [
  { name: 'lib', members: ['lib'] },
  { name: 'messages', members: ['messages'] },
  { name: 'files', members: ['files'] },
  { name: 'db', members: ['db'] },
  { name: 'languages', members: ['templates', 'conditions'], knowEachOther: true },
  { name: 'versions', members: ['versions'] },
  { name: 'features', members: ['auth', 'forms', 'webhooks', 'notifications', 'pictures', 'taxonomies'] },
  { name: 'joining-features', members: ['submissions', 'entries'] },
  { name: 'site', members: ['site'] },
  { name: 'content-and-publish', members: ['content-files', 'publish', 'backups', 'privacy'] },
  {
    name: 'composition',
    members: ['environment', 'environment.ts', 'secret-keys', 'config.ts', 'app.ts', 'server', 'doctor'],
    knowEachOther: true,
  },
  {
    name: 'edge',
    members: [
      ...[
        'pages',
        'admin',
        'components',
        'layouts',
        'styles',
        'assets',
        'integration',
        'middleware.ts',
        'env.d.ts',
      ],
    ],
    knowEachOther: true,
  },
]
// What a form can ask: the only door of a feature to others of its rank and to templates and conditions.
const FIELD_TYPES = 'forms/field-types/field-types\\.ts$'
const EDGE = RANKS.length - 1

const pathOf = (members) => `^src/(${members.map((member) => member.replace('.', '\\.')).join('|')})(/|$)`
const membersOf = (ranks) => ranks.flatMap((rank) => rank.members)

const upward = RANKS.slice(0, EDGE).map((rank, index) => ({
  name: `no-upward-import-from-${rank.name}`,
  severity: 'error',
  from: { path: pathOf(rank.members) },
  to: {
    path: pathOf(membersOf(RANKS.slice(index + 1))),
    ...(rank.name === 'languages' && { pathNot: `^src/${FIELD_TYPES}` }),
  },
}))

const sideways = RANKS.filter((rank) => rank.members.length > 1 && !rank.knowEachOther).map((rank) => ({
  name: `no-sideways-import-among-${rank.name}`,
  severity: 'error',
  from: { path: pathOf(rank.members) },
  to: { path: pathOf(rank.members), pathNot: `^src/($1/|${FIELD_TYPES})` },
}))

module.exports = {
  forbidden: [
    ...upward,
    ...sideways,
    {
      name: 'every-file-has-a-rank',
      comment: 'A new folder of src/ gets its place in the list of ranks first.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: pathOf(membersOf(RANKS)) },
    },
    {
      name: 'features-run-under-bare-node',
      comment: 'Nothing below the composition imports Astro, types included.',
      severity: 'error',
      from: { path: pathOf(membersOf(RANKS.slice(0, EDGE - 1))) },
      to: { path: '^(astro($|:|/)|@astrojs/)|node_modules/(astro|@astrojs)/' },
    },
    {
      name: 'sql-stands-in-stores',
      comment: 'Kysely is imported by stores, the db folder and migrations only (types are free).',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/db/|-store\\.ts$' },
      to: { path: 'node_modules/kysely/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'drivers-stand-in-db',
      comment: 'The benches compare with the bare driver; a backup is a whole SQLite file, opened as one.',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/', pathNot: '^(src/db|src/backups|scripts/bench)/' },
      to: { path: 'node_modules/(@types/)?(better-sqlite3|pg)/' },
    },
    {
      name: 'visitors-load-no-phone-library',
      comment: 'Its table of countries is 80 KB; the script of the forms is 3.',
      severity: 'error',
      from: { path: '^src/components/site/forms/form-script\\.ts$' },
      to: { path: 'node_modules/libphonenumber-js/', reachable: true },
    },
    {
      name: 'production-needs-no-development-packages',
      comment: 'The container is installed without them.',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/', pathNot: '^scripts/(bench|mutants|words)' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'migrations-stand-on-db-alone',
      comment: 'A migration that landed must never change its meaning with a feature.',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^src/', pathNot: '^src/db/' },
    },
    {
      name: 'nothing-imports-scripts',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/' },
      to: { path: '^tests/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.d.ts'] },
  },
}
