/** A command by the name of its npm script. */
export interface CommandText {
  script: string
  does: string
  /** Meanings of the options and arguments in the usage. */
  options?: Readonly<Record<string, string>>
}

const RUN: readonly CommandText[] = [
  {
    script: 'start',
    does: 'Migrates the database, syncs `content/`, publishes saved changes, and starts the server.',
  },
  {
    script: 'dev',
    does: 'Starts a development server (`astro dev`). The server renders pages from the database on each request, and syncs `content/` when a file changes.',
  },
  {
    script: 'new',
    does: 'Creates a folder for a site that uses Signpost as a package. See [A site of your own](../own-site.md).',
    options: {
      DIR: 'the folder to create',
      '--yes': 'accepts the suggested answers',
      '--package': 'the Signpost version or tarball that the site depends on; default: this version',
    },
  },
  {
    script: 'upgrade',
    does: 'Shows what an upgrade of Signpost changes in a site: components, imports, migrations, and formats. Run the command in the site’s folder. See [Upgrade](../own-site.md#upgrade).',
    options: {
      '--check':
        'prints what an upgrade would change; exits with 1 if you must edit any of the site’s files first',
      '--to': 'the version or tarball to compare with; default: the latest version',
      '--rename': 'replaces old names in your files with the names in the installed version',
      '--accept': 'records in `signpost.overrides.json` that your components work with the installed version',
    },
  },
  {
    script: 'build',
    does: 'Migrates the database, syncs the content files, and publishes the changes.',
    options: {
      '--full': 'renders every page again, and compares all pages and files',
      '--jobs': 'the number of processes that render pages',
      '--dry-run':
        'lists what a publish would change and why, including edits that aren’t synced yet, and the local pages closest to the [quality threshold](../search.md#pages-that-are-not-listed)',
      '--out':
        'also writes a static site to `DIR/site`, and the list of URLs that need purging to `DIR/changes.json`',
      '--shard':
        'renders one part of the site, such as `2/8`; see [Large sites](../publishing.md#large-sites)',
      '--to': 'the folder for the rendered part',
      '--join': 'the folder of a rendered part to publish; repeat the option for each part',
    },
  },
  {
    script: 'publish:to',
    does: 'Uploads the live site to the bucket in `PUBLISH_TO`, and notifies the CDN and search engines of changes. The server also does both after each publish.',
    options: {
      '--dry-run': 'lists the objects that an upload would write or remove',
      '--repair': 'compares the bucket with the site, and uploads missing or damaged objects again',
      '--allow-removals': 'allows the upload to remove more than a quarter of the site',
    },
  },
  {
    script: 'rollback',
    does: 'Makes the previous release live again. A rollback takes less than a second.',
    options: {
      '--list': 'lists the last five releases',
      '--to': 'the ID of the release to return to',
    },
  },
]

const CONTENT: readonly CommandText[] = [
  {
    script: 'content:sync',
    does: 'Copies changes in content files to the database without publishing them.',
    options: {
      '--dry-run': 'shows the changes without writing anything',
      '--prefer': 'resolves conflicts in favor of the `file` or the `database`',
      '--only': 'resolves conflicts in only one file, such as `services/ac-repair.md`',
    },
  },
  {
    script: 'content:export',
    does: 'Writes the content in the database to files. Syncing these files changes nothing.',
    options: { '--out': 'a new or empty folder, or the folder of an earlier export' },
  },
  {
    script: 'webhooks',
    does: 'Tests, pauses, and resumes webhooks, resends and cancels deliveries, and compares webhook settings. See [Webhooks](../webhooks.md#tests-replays-and-dry-runs).',
    options: {
      '--webhook': 'the webhook’s ID: the last number in its URL in the admin',
      '--submission': 'the ID of a lead whose answers to send in the test',
      '--delivery': 'the delivery’s ID',
      '--from': 'the start of the time range, such as `2026-11-20T08:00Z`',
      '--until': 'the end of the time range; default: now',
      '--status': 'resends only deliveries with this status; default: `failed` and `cancelled`',
      '--render-again': 'renders the body with the current webhook settings and sends it under a new ID',
      '--anyway': 'resends the delivery even if the lead doesn’t match the webhook’s current conditions',
      '--changes': 'a YAML file with the keys to change and their new values',
      '--last': 'the number of recent submissions to use in the comparison',
    },
  },
  {
    script: 'privacy',
    does: 'Finds, exports, or erases a person’s data. See [Privacy](../privacy.md).',
    options: {
      '--email': 'the person’s email address',
      '--phone': 'the person’s phone number, in any format',
      '--text': 'a name or other text to search for',
      '--out': 'the ZIP file to create',
      '--mentions': 'also deletes leads that only mention the person',
      '--yes': 'confirms the erasure; without this option, the command only counts what it would erase',
    },
  },
  {
    script: 'retention',
    does: 'Deletes leads that are older than their form’s `retention_days`.',
    options: { '--dry-run': 'counts these leads without deleting them' },
  },
]

const OPERATE: readonly CommandText[] = [
  {
    script: 'doctor',
    does: 'Checks everything that a running site needs, and explains how to fix problems.',
  },
  {
    script: 'backup',
    does: 'Backs up the database and visitors’ files to a single verified file. The server can keep running.',
    options: { FILE: 'the backup file to create' },
  },
  {
    script: 'restore',
    does: 'Restores a backup. Stop the server first. On PostgreSQL, restore into an empty database. See [Restore](../operating.md#restore).',
    options: {
      FILE: 'the path of a backup, or the name of a daily backup in `FILE_STORE`',
      '--any-key': 'restores the backup without checking its seal; works only on SQLite',
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
    does: 'Copies visitors’ files and pictures between `DATA_DIR` and `FILE_STORE`. Copies only missing files, and never deletes files.',
    options: { '--to': '`store` copies from `DATA_DIR` to `FILE_STORE`; `disk` does the reverse' },
  },
  {
    script: 'admin:create',
    does: 'Creates a user account, or sets a new password for an existing account. Reads the password from `ADMIN_PASSWORD`, or prompts for a password.',
    options: {
      '--email': 'the account’s email address',
      '--role':
        '`owner` (default for new accounts), `manager`, `editor`, `office`, or `viewer`; see [The team](../team.md)',
      '--place': 'limits the account to leads from a place and the places inside it, such as `austin`',
      '--form': 'limits the account to leads from a form',
      '--reset-two-factor': 'removes the account’s authenticator app, recovery codes, and passkeys',
    },
  },
  {
    script: 'key:rotate',
    does: 'Replaces `SECRET_KEY` while the server runs, and re-encrypts every stored secret with the new key.',
    options: { '--finish': 'removes the old key; wait at least 30 minutes after the replacement' },
  },
  {
    script: 'audit:verify',
    does: 'Checks that no audit log entries were changed or removed.',
    options: { '--head': 'also checks that the entry with this hash still exists' },
  },
  { script: 'licences', does: 'Lists every package that Signpost ships, with its license.' },
  { script: 'sbom', does: 'Writes a CycloneDX software bill of materials to `dist/sbom.cdx.json`.' },
  {
    script: 'vulnerabilities',
    does: 'Checks the packages in `package-lock.json` against known security advisories. Works offline. See [Operating](../operating.md#security).',
    options: {
      '--file': 'the advisories in OSV format: a folder of JSON files or a JSON Lines file',
      '--severity': 'the lowest severity that makes the command fail; default: `low`',
      '--ignore': 'a YAML list of advisories to skip, each with `id`, `reason`, and `until`',
      '--development': 'also checks development packages',
      '--lock': 'another `package-lock.json` to check',
    },
  },
]

const DEVELOP: readonly CommandText[] = [
  { script: 'test', does: 'Runs all tests.' },
  { script: 'prepack', does: 'Compiles Signpost into `package/` for `npm pack`.' },
  {
    script: 'test:package',
    does: 'Packs Signpost into a tarball, creates a site that uses it, and tests the site.',
  },
  { script: 'check', does: 'Runs all tests and the checks `types`, `lint`, `imports`, and `unused`.' },
  { script: 'lint', does: 'Checks formatting and lint rules.' },
  { script: 'types', does: 'Checks types, including the types in `.astro` files.' },
  { script: 'imports', does: 'Checks imports against the rules in `.dependency-cruiser.cjs`.' },
  { script: 'unused', does: 'Finds unused code and dependencies.' },
  { script: 'format', does: 'Formats all files.' },
  { script: 'docs', does: 'Generates the pages in `docs/reference` and the schemas in `docs/schemas`.' },
  { script: 'screenshots', does: 'Takes the screenshots in `docs/pictures`.' },
  { script: 'words', does: 'Prints all text in Signpost’s interface, by audience and area.' },
  {
    script: 'soak',
    does: 'Runs the full-length test of every [promise](../performance.md#promises) and prints the results.',
    options: {
      '--only': 'tests only the promises whose name or test file contains the word',
      '--short': 'runs the short versions of the tests, as `npm test` does',
    },
  },
  {
    script: 'bench',
    does: 'Measures one part of Signpost and prints the results. If `DATABASE_URL` is set to a PostgreSQL server, `submit` compares PostgreSQL with SQLite, and `admin` measures PostgreSQL.',
    options: {
      '--pages': 'the number of pages to build; default: 20,000',
      '--peer': 'with `webhooks`, compares Signpost with `graphile-worker`; requires PostgreSQL',
      '--overrides': 'with `build`, compares publishes with and without replaced components',
      '--json': 'prints the results as JSON',
    },
  },
  {
    script: 'lighthouse',
    does: 'Runs Lighthouse on each kind of page. Fails if a score is below 100, or below 99 for performance.',
  },
  {
    script: 'mutants',
    does: 'Finds code changes that no test detects. See [Mutation testing](../mutation-testing.md).',
    options: {
      'src/FOLDER': 'a folder or file in `src`',
      '--force': 'tries all mutants again, not only those whose code or tests have changed',
      '--sample': 'tries only this percentage of the mutants, always the same ones',
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
