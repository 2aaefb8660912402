import type { Bucket } from '../../files/file-store.ts'
import type { Outlet } from './outlet-store.ts'

/** Returns the outlets to report. Without a bucket, the upload only finds the URLs that changed. */
export function shownOutlets(
  outlets: readonly Outlet[],
  { publicBucket }: { publicBucket: Bucket | undefined },
): Outlet[] {
  return outlets.filter(
    ({ name, status }) => name !== 'upload' || status === 'failed' || publicBucket !== undefined,
  )
}
