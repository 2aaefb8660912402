/** A command by the name of its npm script. */
export interface CommandText {
  script: string
  does: string
  /** Meaning of each option and argument of the usage. */
  options?: Readonly<Record<string, string>>
}

const DRY_RUN = 'shows the changes and writes nothing'

const RUN: readonly CommandText[] = [
  {
    script: 'start',
    does: 'Migrates the database, syncs `content/`, builds what is missing, and serves.',
  },
  {
    script: 'dev',
    does: 'Does the same with `astro dev`: renders pages from the database on each request, and syncs `content/` when a file changes.',
  },
  {
    script: 'new',
    does: 'Creates a site in its own folder, with this program as a package: see [A site of your own](../own-site.md).',
    options: {
      DIR: 'a new folder',
      '--yes': 'accepts the suggested answers',
      '--package': 'the version or tarball that the site depends on; this version if left out',
    },
  },
  {
    script: 'upgrade',
    does: 'In a site’s folder: compares the installed version with another, for components, imports, migrations, and formats. See [Upgrade](../own-site.md#upgrade).',
    options: {
      '--check': 'prints what an upgrade changes; exit status 1 when a file of the site has to change first',
      '--to': 'the version or tarball to compare with; the latest version if left out',
      '--rename': 'replaces names in your files that the installed version renamed',
      '--accept': 'records in `signpost.overrides.json` that your components fit the installed version',
    },
  },
  {
    script: 'build',
    does: 'Migrates, syncs, and publishes what changed.',
    options: {
      '--full': 'compares all pages and files, and renders every page again',
      '--jobs': 'renders in this number of processes',
      '--dry-run':
        'lists what would change and why, with unsynced edits; writes nothing but the bundled templates in `dist/`',
      '--out':
        'also writes the site for a static host to `DIR/site`, and the addresses to purge to `DIR/changes.json`',
      '--shard':
        'renders one part of the site, such as `2/8`, on any machine with the same program and database',
      '--to': 'the folder for that part',
      '--join': 'publishes parts; repeat it for each folder',
    },
  },
  {
    script: 'publish:to',
    does: 'Uploads the live site to `PUBLISH_TO`, and notifies the CDN and search engines of changes. The server does that after each publish.',
    options: {
      '--dry-run': 'lists the objects that it would write and remove',
      '--repair': 'compares with what the bucket lists, and uploads missing and damaged objects again',
      '--allow-removals': 'removes more than a quarter of the site',
    },
  },
  {
    script: 'rollback',
    does: 'Returns to the previous release in less than a second.',
    options: { '--list': 'lists the five releases that are kept', '--to': 'picks a release by its ID' },
  },
]

const CONTENT: readonly CommandText[] = [
  {
    script: 'content:sync',
    does: 'Copies changed files to the database, without publishing.',
    options: {
      '--dry-run': DRY_RUN,
      '--prefer': 'settles conflicts in favor of the `file` or the `database`',
      '--only': 'limits that to one file, such as `services/ac-repair.md`',
    },
  },
  {
    script: 'content:export',
    does: 'Writes the database to files. Syncing them changes nothing.',
    options: { '--out': 'a new or empty folder' },
  },
  {
    script: 'webhooks',
    does: 'Tests, resends, pauses, and compares webhooks: see [Webhooks](../webhooks.md#tests-replays-and-dry-runs).',
    options: {
      '--webhook': 'the ID of a webhook: the last number of its URL in the admin',
      '--submission': 'sends the answers of this lead in the test',
      '--delivery': 'the ID of a delivery',
      '--from': 'the start of the window, such as `2026-11-20T08:00Z`',
      '--until': 'the end of the window; now if left out',
      '--status': 'resends deliveries with this status',
      '--render-again': 'renders the body with the current webhook, under a new ID',
      '--anyway': 'sends a lead that does not match the conditions',
      '--changes': 'a YAML file with the keys that change',
      '--last': 'the number of recent submissions to compare',
    },
  },
  {
    script: 'privacy',
    does: 'Finds, exports, or erases a person: see [Privacy](../privacy.md).',
    options: {
      '--email': 'the person’s email address',
      '--phone': 'the person’s phone number, in any notation',
      '--text': 'a name or other text',
      '--out': 'a new ZIP file',
      '--mentions': 'deletes leads that only mention the person, too',
      '--yes': 'erases; without it, the command only counts',
    },
  },
  {
    script: 'retention',
    does: 'Removes leads that are older than their form’s `retention_days`.',
    options: { '--dry-run': 'counts them only' },
  },
]

const OPERATE: readonly CommandText[] = [
  { script: 'doctor', does: 'Checks everything a running site needs, and says what to do.' },
  {
    script: 'backup',
    does: 'Writes the database and the visitors’ files to one checked file, while the server runs.',
    options: { FILE: 'a new file' },
  },
  {
    script: 'restore',
    does: 'Restores a backup. Stop the server first. On PostgreSQL, into an empty database.',
    options: {
      FILE: 'the backup',
      '--any-key':
        'skips the check of the seal, for a backup made with another key or without one; SQLite only',
    },
  },
  {
    script: 'migrate',
    does: 'Applies pending migrations.',
    options: {
      '--status': 'lists the migrations',
      '--to': 'stops after a revision, such as `0010`',
    },
  },
  {
    script: 'vacuum',
    does: 'Rewrites the SQLite file without traces of deleted data. Stop the server first.',
  },
  {
    script: 'files:copy',
    does: 'Copies visitors’ files between `DATA_DIR` and `FILE_STORE`. It removes nothing, and copies only missing files.',
    options: { '--to': '`store` copies from `DATA_DIR` to `FILE_STORE`, `disk` copies back' },
  },
  {
    script: 'admin:create',
    does: 'Creates an administrator, or sets a new password. Reads it from `ADMIN_PASSWORD`, or asks.',
    options: {
      '--email': 'the account’s email address',
      '--role': '`owner` (default), `manager`, `editor`, `office`, or `viewer`: see [The team](../team.md)',
      '--place': 'limits the account to leads from a place and the places inside it, such as `texas/austin`',
      '--form': 'limits the account to leads from a form',
      '--reset-two-factor': 'turns off a lost second factor',
    },
  },
  {
    script: 'key:rotate',
    does: 'Replaces `SECRET_KEY` while the server runs, and encrypts every stored secret with the new key.',
    options: { '--finish': 'drops the former key; wait 30 minutes first' },
  },
  {
    script: 'audit:verify',
    does: 'Checks that no entry of the audit log was changed or removed.',
    options: { '--head': 'also checks that the entry with this hash still exists' },
  },
  { script: 'licences', does: 'Lists every package that is shipped, with its license.' },
  {
    script: 'sbom',
    does: 'Writes the software bill of materials to `dist/sbom.cdx.json` (CycloneDX).',
  },
  {
    script: 'vulnerabilities',
    does: 'Compares the packages with advisories, without a network: see [Operating](../operating.md#security).',
    options: {
      '--file': 'OSV records: a folder of JSON files, or a file of JSON lines',
      '--severity': 'the lowest severity that fails; `low` if left out',
      '--ignore': 'a YAML list of advisories to skip, each with `id`, `reason`, and `until`',
      '--development': 'includes development packages',
      '--lock': 'another `package-lock.json`',
    },
  },
]

const DEVELOP: readonly CommandText[] = [
  { script: 'test', does: 'Runs every test.' },
  { script: 'prepack', does: 'Compiles the program into `package/`, for `npm pack`.' },
  {
    script: 'test:package',
    does: 'Packs the program, creates and installs a site from the tarball, and tests the site.',
  },
  { script: 'check', does: 'Runs every check below, and every test.' },
  { script: 'lint', does: 'Checks format and lint.' },
  { script: 'types', does: 'Checks types.' },
  { script: 'imports', does: 'Checks which part of the program imports which.' },
  { script: 'unused', does: 'Finds unused code and dependencies.' },
  { script: 'format', does: 'Formats all files.' },
  { script: 'docs', does: 'Writes these reference pages and the schemas of content files.' },
  { script: 'screenshots', does: 'Takes the pictures of the guides in `docs/pictures`.' },
  { script: 'words', does: 'Prints every text of the program by audience and area.' },
  {
    script: 'soak',
    does: 'Tests the [promises](../performance.md#promises) at full length, with figures.',
    options: {
      '--only': 'tests only the promises that contain the word',
      '--short': 'tests them at the length of `npm test`',
    },
  },
  {
    script: 'bench',
    does: 'Measures a part of the program and prints figures with units.',
    options: {
      '--pages': 'the number of pages to build; 20,000 if left out',
      '--peer':
        'delivers webhooks alternating with `graphile-worker`, on the PostgreSQL server of `DATABASE_URL`',
      '--overrides': 'publishes with a replaced `Header` and `LocationPage`, alternating with none',
      '--json': 'prints JSON',
    },
  },
  { script: 'lighthouse', does: 'Runs Lighthouse on each kind of page. Fails below full marks.' },
  {
    script: 'mutants',
    does: 'Finds changes to the code that no test notices: see [Mutation testing](../mutation-testing.md).',
    options: {
      'src/FOLDER': 'a folder or file of `src`',
      '--force': 'tries every mutant again',
    },
  },
]

/** Every npm script, in the order of the page. */
export const COMMAND_GROUPS: readonly { title: string; commands: readonly CommandText[] }[] = [
  { title: 'Run and publish', commands: RUN },
  { title: 'Content and leads', commands: CONTENT },
  { title: 'Operate', commands: OPERATE },
  { title: 'Develop', commands: DEVELOP },
]
