/** A command by the name of its npm script. */
export interface CommandText {
  script: string
  does: string
  /** Meanings of the options and arguments in the usage. */
  options?: Readonly<Record<string, string>>
}

const DRY_RUN = 'shows the changes without writing anything'

const RUN: readonly CommandText[] = [
  {
    script: 'start',
    does: 'Migrates the database, syncs `content/`, builds missing files, and starts the server.',
  },
  {
    script: 'dev',
    does: 'Starts Signpost with `astro dev`, which renders pages from the database on each request. Syncs `content/` when a file changes.',
  },
  {
    script: 'new',
    does: 'Creates a folder with a site that uses Signpost as a package. See [A site of your own](../own-site.md).',
    options: {
      DIR: 'a new folder',
      '--yes': 'accepts the suggested answers',
      '--package': 'the Signpost version or tarball that the site depends on; default: this version',
    },
  },
  {
    script: 'upgrade',
    does: 'Compares a site’s installed version with another one. Run the command in the site’s folder. The comparison covers components, imports, migrations, and formats. See [Upgrade](../own-site.md#upgrade).',
    options: {
      '--check': 'prints what an upgrade changes; exits with 1 if a site file must change first',
      '--to': 'the version or tarball to compare with; default: the latest version',
      '--rename': 'replaces old names in your files with the installed version’s names',
      '--accept': 'records in `signpost.overrides.json` that your components work with the installed version',
    },
  },
  {
    script: 'build',
    does: 'Migrates the database, syncs the content files, and publishes the changes.',
    options: {
      '--full': 'compares all pages and files, and renders every page again',
      '--jobs': 'the number of rendering processes',
      '--dry-run':
        'lists the changes, including unsynced edits, and the reason for each; writes only the bundled templates in `dist/`',
      '--out': 'also writes a static site to `DIR/site` and lists the URLs to purge in `DIR/changes.json`',
      '--shard':
        'renders one part of the site, such as `2/8`, on any machine with the same Signpost version and database',
      '--to': 'the folder for the rendered part',
      '--join': 'publishes rendered parts; repeat the option for each folder',
    },
  },
  {
    script: 'publish:to',
    does: 'Uploads the live site to `PUBLISH_TO`, and notifies the CDN and search engines of changes. The server also does this after each publish.',
    options: {
      '--dry-run': 'lists the objects to write and remove without changing anything',
      '--repair': 'compares the bucket with the site, and uploads missing or damaged objects again',
      '--allow-removals': 'allows the upload to remove more than a quarter of the site',
    },
  },
  {
    script: 'rollback',
    does: 'Returns to the previous release in less than a second.',
    options: {
      '--list': 'lists the last five releases, which are kept for rollbacks',
      '--to': 'the ID of the release to return to',
    },
  },
]

const CONTENT: readonly CommandText[] = [
  {
    script: 'content:sync',
    does: 'Copies changed files to the database without publishing them.',
    options: {
      '--dry-run': DRY_RUN,
      '--prefer': 'resolves conflicts in favor of the `file` or the `database`',
      '--only': 'resolves conflicts in only one file, such as `services/ac-repair.md`',
    },
  },
  {
    script: 'content:export',
    does: 'Exports the database’s content to files. Syncing the exported files doesn’t change anything.',
    options: { '--out': 'a new or empty folder' },
  },
  {
    script: 'webhooks',
    does: 'Tests, pauses, and compares webhooks, and resends deliveries. See [Webhooks](../webhooks.md#tests-replays-and-dry-runs).',
    options: {
      '--webhook': 'the ID of a webhook, which is the last number in the webhook’s URL in the admin',
      '--submission': 'the ID of a lead whose answers the test sends',
      '--delivery': 'the ID of a delivery',
      '--from': 'the start of the time range, such as `2026-11-20T08:00Z`',
      '--until': 'the end of the time range; default: now',
      '--status': 'resends only deliveries with this status',
      '--render-again': 'renders the body with the current webhook settings and sends it under a new ID',
      '--anyway': 'sends a lead even if it doesn’t match the conditions',
      '--changes': 'a YAML file with the changed keys',
      '--last': 'the number of recent submissions to compare',
    },
  },
  {
    script: 'privacy',
    does: 'Finds, exports, or erases a person’s data. See [Privacy](../privacy.md).',
    options: {
      '--email': 'the person’s email address',
      '--phone': 'the person’s phone number, in any format',
      '--text': 'a name or other text',
      '--out': 'a new ZIP file',
      '--mentions': 'also deletes leads that only mention the person',
      '--yes': 'confirms the erasure; without this option, the command only counts what it would erase',
    },
  },
  {
    script: 'retention',
    does: 'Deletes leads that are older than their form’s `retention_days`.',
    options: { '--dry-run': 'counts the leads without deleting them' },
  },
]

const OPERATE: readonly CommandText[] = [
  {
    script: 'doctor',
    does: 'Checks everything that a running site needs, and tells you how to fix problems.',
  },
  {
    script: 'backup',
    does: 'Backs up the database and visitors’ files to a single verified file. The server can keep running.',
    options: { FILE: 'a new file' },
  },
  {
    script: 'restore',
    does: 'Restores a backup. Stop the server first. On PostgreSQL, restore into an empty database.',
    options: {
      FILE: 'the backup file',
      '--any-key': 'restores a backup that has no seal or another key’s seal; SQLite only',
    },
  },
  {
    script: 'migrate',
    does: 'Applies pending migrations.',
    options: {
      '--status': 'lists all migrations without applying any',
      '--to': 'the last revision to apply, such as `0010`',
    },
  },
  {
    script: 'vacuum',
    does: 'Rewrites the SQLite file to remove traces of deleted data. Stop the server first.',
  },
  {
    script: 'files:copy',
    does: 'Copies visitors’ files and pictures between `DATA_DIR` and `FILE_STORE`. Copies only missing files, and doesn’t delete any.',
    options: { '--to': '`store` copies from `DATA_DIR` to `FILE_STORE`; `disk` copies the files back' },
  },
  {
    script: 'admin:create',
    does: 'Creates a user account, or sets a new password for an existing one. Reads the password from `ADMIN_PASSWORD`, or prompts for one.',
    options: {
      '--email': 'the account’s email address',
      '--role':
        '`owner` (default for new accounts), `manager`, `editor`, `office`, or `viewer`; see [The team](../team.md)',
      '--place': 'limits the account to leads from a place and the places inside it, such as `texas/austin`',
      '--form': 'limits the account to leads from a form',
      '--reset-two-factor': 'removes the authenticator app, recovery codes, and passkeys',
    },
  },
  {
    script: 'key:rotate',
    does: 'Replaces `SECRET_KEY` while the server runs, and re-encrypts every stored secret with the new key.',
    options: { '--finish': 'removes the old key; wait 30 minutes after the rotation' },
  },
  {
    script: 'audit:verify',
    does: 'Checks that no audit log entry was changed or removed.',
    options: { '--head': 'also checks that the entry with this hash still exists' },
  },
  { script: 'licences', does: 'Lists every shipped package and its license.' },
  { script: 'sbom', does: 'Writes a CycloneDX software bill of materials to `dist/sbom.cdx.json`.' },
  {
    script: 'vulnerabilities',
    does: 'Checks the packages against known advisories. Works without network access. See [Operating](../operating.md#security).',
    options: {
      '--file': 'the OSV records, as a folder of JSON files or a JSON Lines file',
      '--severity': 'the lowest severity that makes the command fail; default: `low`',
      '--ignore': 'a YAML list of advisories to skip, each with `id`, `reason`, and `until`',
      '--development': 'includes development packages',
      '--lock': 'another `package-lock.json` to check',
    },
  },
]

const DEVELOP: readonly CommandText[] = [
  { script: 'test', does: 'Runs all tests.' },
  { script: 'prepack', does: 'Compiles Signpost into `package/` for `npm pack`.' },
  {
    script: 'test:package',
    does: 'Packs Signpost, creates and installs a site from the tarball, and tests the site.',
  },
  { script: 'check', does: 'Runs all tests and the checks listed below.' },
  { script: 'lint', does: 'Checks formatting and lint rules.' },
  { script: 'types', does: 'Checks types.' },
  { script: 'imports', does: 'Checks imports between parts of the code.' },
  { script: 'unused', does: 'Finds unused code and dependencies.' },
  { script: 'format', does: 'Formats all files.' },
  { script: 'docs', does: 'Generates these reference pages and the content file schemas.' },
  { script: 'screenshots', does: 'Takes the screenshots in `docs/pictures`.' },
  { script: 'words', does: 'Prints all of Signpost’s interface text, by audience and area.' },
  {
    script: 'soak',
    does: 'Runs the full-length test of every [promise](../performance.md#promises) and prints the results.',
    options: {
      '--only': 'tests only the promises that contain the word',
      '--short': 'runs the tests at the same length as `npm test`',
    },
  },
  {
    script: 'bench',
    does: 'Benchmarks one part of Signpost and prints the results with units. If `DATABASE_URL` points to a PostgreSQL server, `submit` alternates between PostgreSQL and SQLite, and `admin` measures PostgreSQL.',
    options: {
      '--pages': 'the number of pages to build; default: 20,000',
      '--peer': 'alternates between Signpost and `graphile-worker`, on PostgreSQL (`DATABASE_URL`)',
      '--overrides': 'alternates between publishes with and without a replaced `Header` and `LocationPage`',
      '--json': 'prints the figures as JSON',
    },
  },
  {
    script: 'lighthouse',
    does: 'Runs Lighthouse on each kind of page. Fails if a score is below 100 (performance: 99).',
  },
  {
    script: 'mutants',
    does: 'Finds code changes that no test detects. See [Mutation testing](../mutation-testing.md).',
    options: {
      'src/FOLDER': 'a folder or file in `src`',
      '--force': 'tests every mutant again',
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
