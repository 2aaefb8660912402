import { countOf, formatCount } from '../plural.ts'

const REMOVALS = { one: 'file', other: 'files' }
const URLS = { one: 'URL', other: 'URLs' }

/** Why the site was not copied to its bucket, or a CDN or search engine was not notified. */
export const outletFailures = {
  bucketMissing: (bucket: string) => `The bucket ${bucket} does not exist. Create it or correct PUBLISH_TO`,
  manyRemovals: (removed: number, known: number) =>
    `The upload would remove ${removed} of ${countOf(known, REMOVALS)}. If this is intended, run npm run publish:to -- --allow-removals`,
  refused: (host: string, status: number, said: string) =>
    `${host} returned ${status}${said && `: ${said}`}. Check PURGE and PURGE_TOKEN`,
  indexNowRefused: (host: string, status: number) =>
    `${host} returned ${status}. Make sure that the IndexNow key file is public`,
  noAnswer: (host: string, reason: string) => `${host} did not respond: ${reason}`,
}

/** Output of `publish:to`, and problems of its use. */
export const outletTexts = {
  nothingSet: 'Set PUBLISH_TO, PURGE, or INDEXNOW first. Nothing was done',
  noRelease: 'Nothing is published yet. Run npm run build first',
  busy: 'A server is copying the site right now. Try again when the copy is done',
  elsewhere: 'Another server published last. Run this command on that server',
  uploading: 'Uploading',
  upToDate: 'The bucket is up to date.',
  uploaded: (written: number, removed: number) =>
    `Uploaded ${countOf(written, REMOVALS)}, removed ${removed}.`,
  wouldUpload: (written: number, removed: number) =>
    `Would upload ${countOf(written, REMOVALS)} and remove ${removed}.`,
  noBucket: 'PUBLISH_TO is not set, so nothing would be uploaded.',
  nothingToSend: 'No URLs have changed since the last run, so nothing was sent.',
  others: (count: number) => `Left ${countOf(count, REMOVALS)} from other sources in the bucket.`,
  told: (name: string, count: number) => `${name}: ${countOf(count, URLS)} sent.`,
}

interface Told {
  name: 'upload' | 'purge' | 'indexnow'
  status: 'done' | 'running' | 'failed'
  done: number
  total: number
  failureMessage: string | null
}

const OUTLETS = {
  upload: {
    running: (done: number, total: number) =>
      `Uploading to the static host: ${formatCount(done)} of ${formatCount(total)} files.`,
    done: () => 'The static host is up to date.',
    failed: (reason: string) => `The static host was not updated: ${reason}.`,
  },
  purge: {
    running: (done: number, total: number) =>
      `Purging the CDN: ${formatCount(done)} of ${formatCount(total)} URLs.`,
    done: (count: number) => `The CDN purged ${countOf(count, URLS)}.`,
    failed: (reason: string) => `The CDN may still show old pages: ${reason}.`,
  },
  indexnow: {
    running: (done: number, total: number) =>
      `Notifying search engines: ${formatCount(done)} of ${formatCount(total)} URLs.`,
    done: (count: number) => `Search engines were notified of ${countOf(count, URLS)}.`,
    failed: (reason: string) => `Search engines were not notified of changes: ${reason}.`,
  },
}

/** Says how far a copy outside is, such as `The static host is up to date.` */
export function describeOutlet({ name, status, done, total, failureMessage }: Told): string {
  const texts = OUTLETS[name]
  if (status === 'running') return texts.running(done, total)
  if (status === 'failed') return texts.failed(failureMessage ?? '')
  return texts.done(total)
}
