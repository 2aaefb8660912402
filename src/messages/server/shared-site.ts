/** Why a server cannot share the release of its site. */
export const sharedSiteFailures = {
  partDamaged: (key: string) => `${key} in the file store is damaged. Publish with --full to store it again`,
  partMissing: (key: string) =>
    `${key} is missing from the file store. Publish with --full to store it again`,
  releaseUnknown: (id: string) =>
    `The release ${id} is not in the file store. Publish with --full to store it again`,
  tookOver: 'Another server took over because this server stopped responding. Publish again',
}
