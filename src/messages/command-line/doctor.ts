import { createTexts, type PartsOf } from '../../lib/messages.ts'
import { countOf } from '../plural.ts'
import { siteRepaired } from '../site-check.ts'

/** The name of each check, at the start of its line. */
export const checkNames = {
  node: 'Node',
  disk: 'Disk',
  dataFolder: 'Data folder',
  files: 'Files',
  secretKey: 'Secret key',
  database: 'Database',
  content: 'Content',
  release: 'Release',
  site: 'Site',
  pictures: 'Pictures',
  backups: 'Backups',
  server: 'Server',
  servers: 'Servers',
  siteUrl: 'SITE_URL',
  admin: 'Admin',
  clock: 'Clock',
  timeZone: 'Time zone',
  mail: 'Email',
  reports: 'Monthly reports',
  outlets: 'Static host',
  webhooks: 'Webhooks',
  conditions: 'Conditions',
}

const remedies = {
  mount: 'remount its disk as writable',
  own: 'make the user who runs Signpost its owner',
}

const free = (gibibytes: string, folder: string) => `${gibibytes} GiB free in ${folder}`

/** Findings of the checks, by code. */
const FINDINGS = {
  // The machine and its data folder.
  nodeTooOld: (version: string) =>
    `${version} is too old. Start with npm, which uses this project's own Node`,
  free,
  fullSoon: (gibibytes: string, folder: string) =>
    `${free(gibibytes, folder)}. Free up space, or submissions will soon be refused`,
  spaceLow: (gibibytes: string, folder: string) =>
    `${free(gibibytes, folder)}. Free up space for publishing and backups`,
  notThere: (path: string) => `${path} does not exist yet. npm start creates it`,
  otherOwner: (path: string, dataDir: string) =>
    `${path} and ${dataDir} belong to different users. Stop the server, run chown -R USER ${dataDir} for the user who runs Signpost, and run every command as that user`,
  writable: (dataDir: string) => `${dataDir} is writable`,
  noHardLinks: (dataDir: string) => `${dataDir} does not support hard links, so each release is a full copy`,
  notWritable: (dataDir: string, reason: string, remedy: keyof typeof remedies) =>
    `${dataDir} is not writable (${reason}): ${remedies[remedy]}`,
  filesHere: (dataDir: string) => `in ${dataDir}/uploads`,
  filesKept: (place: string) => `${place}: files can be written and read`,
  filesLost: (place: string) => `${place} did not return a file that it stored. Check FILE_STORE`,
  filesNotYet: (folder: string) => `${folder} does not exist yet. The first file creates it`,
  filesGone: (folder: string) =>
    `${folder} does not exist, although visitors sent files. Mount its disk, check FILE_STORE, or restore a backup`,
  keyReadable: (path: string) => `Other users on this machine can read ${path}. Run chmod 600 on it`,
  keyFromEnvironment: 'set in SECRET_KEY',
  keyPrivate: (path: string) => `${path}, readable only by its owner`,
  keyStillNeeded: (values: number) =>
    `The old key is still needed for ${countOf(values, { one: 'value', other: 'values' })}. Run npm run key:rotate`,
  formerKeyUnused: (howToFinish: string) => `The old key is no longer needed: ${howToFinish}`,
  // The database, pictures, and the backups.
  pictures: (count: number) => countOf(count, { one: 'picture', other: 'pictures' }),
  picturesMissing: (count: number, names: string) =>
    `${countOf(count, { one: 'file is', other: 'files are' })} missing from DATA_DIR/pictures${names ? ` (${names})` : ''}. Restore a backup, or replace these pictures in the admin`,
  noneYet: 'none yet',
  unexpected: (reason: string) => reason,
  release: (id: string) => id,
  content: (folder: string) => folder,
  mistakes: (mistakes: string) => mistakes,
  node: (version: string) => version,
  notChecked: (reason: string) => `not checked: ${reason}`,
  lost: (file: string) =>
    `${file} does not exist, although a site was published. Check DATABASE_URL, or stop the server and run npm run restore. npm start would create an empty database`,
  readable: (file: string) =>
    `Other users on this machine can read ${file}. Stop the server and run chmod 600 ${file}*`,
  removedData: (file: string) =>
    `${file} still contains deleted data. Stop the server and run npm run vacuum`,
  damaged: (damage: string) =>
    `The database is damaged (${damage}). Stop the server and restore the last backup`,
  standby: 'The database is read-only. Point DATABASE_URL at the primary, not at a standby',
  pending: (count: number) =>
    `Pending: ${countOf(count, { one: 'migration', other: 'migrations' })}. Make a backup, then run npm start`,
  sound: (revision: string) => `intact, at ${revision}`,
  backupsImpossible: (problem: string, last: string | undefined) =>
    `This server can't make backups: ${problem}. Last backup: ${last ?? 'none'}`,
  backupsOff: 'BACKUP_KEEP is 0, so no daily backups are made',
  noBackups: 'No backups yet. A running server makes one a day; npm run backup makes one now',
  newestStoredBackup: (name: string) => `${name}, in FILE_STORE`,
  newestBackup: (name: string) => `${name}. Copy backups to another machine`,
  oldBackup: (name: string, days: number) =>
    `The newest backup, ${name}, is ${days} days old. Search the server's log for "the daily backup failed"`,
  // The content and the published site.
  noContent: (folder: string) => `${folder} does not exist. Set CONTENT_DIR to your content folder`,
  noSettings: (folder: string) => `${folder} has no site.yaml, so the site has no name and no phone number`,
  fileErrors: (errors: string, more: number) =>
    `The last sync stopped at ${errors}${more > 0 ? `; and ${more} more` : ''}. Correct the files and run npm run content:sync`,
  conflicts: (names: string, more: number) =>
    `Changed in files and in the admin: ${names}${more > 0 ? ` and ${more} more` : ''}. Choose a version in the admin at /admin/conflicts, or run npm run content:sync -- --prefer file or --prefer database`,
  notPublished: 'Nothing is published yet. Run npm run build or npm start',
  siteRepaired,
  complete: 'pictures, names, phone numbers, and the address are complete',
  notices: (notices: string, more: number) => notices + (more > 0 ? ` (and ${more} more)` : ''),
  webhooksReady: (count: number) => `${count} on, all with reachable hosts`,
  webhooksFailing: (failing: number, all: number, reasons: string) =>
    `${failing} of ${all} can't be sent now: ${reasons}`,
  webhook: (name: string, id: number, problem: string) => `"${name}" (${id}): ${problem}`,
  webhookWithoutAddress: (host: string) =>
    `${host} has no address in DNS. Correct the URL or pause the webhook`,
  webhookToPrivate: (host: string, address: string) =>
    `${host} resolves to ${address}, which is private. Allow this address in WEBHOOK_ALLOW`,
  conditionsKnown: 'refer only to existing places, services, and choices',
  conditionsUnknown: (unknown: string) => `${unknown}. Correct the conditions under Forms`,
  webhookNames: (name: string, form: string, slugs: string) =>
    `The webhook "${name}" (${form}) uses unknown slugs: ${slugs}`,
  emailNames: (to: string, form: string, slugs: string) =>
    `The emails to ${to} (${form}) use unknown slugs: ${slugs}`,
  webhookChoices: (name: string, form: string, question: string, values: string) =>
    `The webhook "${name}" (${form}) uses unknown choices of ${question}: ${values}`,
  emailChoices: (to: string, form: string, question: string, values: string) =>
    `The emails to ${to} (${form}) use unknown choices of ${question}: ${values}`,
  webhookReuses: (name: string, form: string, slug: string, now: string, before: string) =>
    `In the webhook "${name}" (${form}), ${slug} now means ${now} instead of ${before}`,
  emailReuses: (to: string, form: string, slug: string, now: string, before: string) =>
    `In the emails to ${to} (${form}), ${slug} now means ${now} instead of ${before}`,
  // Servers and the network.
  local: (siteUrl: string) => `${siteUrl} is this machine. Set SITE_URL before you go live`,
  noAddress: (host: string) => `${host} has no address in DNS. Add an A or AAAA record`,
  noAdminAddress: (host: string) =>
    `${host} has no address in DNS. Add an A or AAAA record, or unset ADMIN_HOST`,
  notHttps: (siteUrl: string) =>
    `${siteUrl} does not use https. Put a proxy with a certificate in front of Signpost`,
  noTrustedProxies:
    'https needs a proxy in front of Signpost. Set TRUSTED_PROXIES; otherwise, all visitors count as one',
  resolves: (host: string, address: string) => `${host} resolves to ${address}`,
  adminAllowsProxy: 'ADMIN_ALLOW checks the proxy’s address. Set TRUSTED_PROXIES to check client addresses',
  adminLimited: (url: string, ranges: string) => `${url}/admin is open to ${ranges} only`,
  adminOpen: (url: string) => `${url}/admin is open to every address. Limit it with ADMIN_ALLOW`,
  notListening: (address: string) => `nothing is listening on ${address}. To start the server, run npm start`,
  running: (release: string) => `running, release ${release}`,
  noDatabase: "running, but can't read its database. See Database above",
  noRelease: 'running, but has no release yet. See its log',
  otherProgram: (address: string) => `Another program uses ${address}. Stop it or set PORT`,
  clockAlone: (time: string) => `${time}, not compared with another clock`,
  clockUnknown: (siteUrl: string) => `${siteUrl} does not respond, so the clock can't be compared`,
  clockAgrees: (siteUrl: string) => `agrees with ${siteUrl}`,
  clockOff: (seconds: number, siteUrl: string) =>
    `${seconds} s off from ${siteUrl}. Turn on time synchronization (timedatectl)`,
  timeZone: (zone: string) => zone,
  timeZoneOfServer: (zone: string) =>
    `The site has no time zone, so emails, exports, and results use the server's time zone, ${zone}. Choose one under Settings, or set time_zone in content/site.yaml`,
  mailOff: 'SMTP_URL is not set, so no email is sent',
  mailReady: (host: string) => `${host} accepts email`,
  mailFails: (host: string, reason: string) => `${host}: ${reason}. Check SMTP_URL`,
  reportsMailed: 'none failed',
  reportsFailed: (count: number, reports: string) =>
    `${countOf(count, { one: 'report was', other: 'reports were' })} not sent: ${reports}. Check SMTP_URL. Users can request their reports again under Results`,
  report: (email: string, period: string, reason: string) => `${email} (${period}): ${reason}`,
  outletsNotSet: 'not set up; visitors get their pages from this server',
  outletsCurrent: (release: string) => `has release ${release}`,
  outletsBehind: 'The static host does not have the current release yet. Run npm run publish:to',
  outletFailed: (reason: string) => `${reason}. Then run npm run publish:to`,
  oneServer: 'SQLite supports only one server',
  servers: (count: number) => `${count} running on this database`,
  separateServers: (servers: readonly (readonly [machine: string, release: string])[]) =>
    `${servers.length} servers use this database, each with its own DATA_DIR: ${servers.map(([machine, release]) => `${machine} (release ${release})`).join(', ')}. Publish and roll back on each; see docs/deploying.md`,
}

export type CheckName = keyof typeof checkNames
export type FindingCode = keyof typeof FINDINGS
export type FindingParams<Code extends FindingCode> = PartsOf<(typeof FINDINGS)[Code]>

/** Says what a check found. */
export const describeFinding = createTexts(FINDINGS)

/** The last line of a report that found failures. */
export const doctorTexts = {
  failed: (failed: number, all: number) => `${failed} of ${all} checks failed. See ✗ above`,
}
