/** What the log says. Values go beside a message, never into it. */
export const logTexts = {
  listening: 'listening',
  siteNotUpdated: 'the site was not updated',
  siteNotPublished: 'the site was not published',
  scheduledPublishFailed: 'the scheduled publish failed',
  releaseMissing: 'the current release was not found',
  requestFailed: 'request failed',
  formNotLookedUp: 'a form could not be looked up because the storage is unavailable',
  refusalAsText: 'a refusal was sent as plain text',
  uploadNotWritten: "a visitor's file could not be written",
  uploadsNotRemoved: 'the files of a refused post were not removed',
  policyViolation: 'content security policy violation',
  mailSent: 'notification mail sent',
  mailFailed: 'notification mail failed',
  replySettled: 'reply mail settled',
  replyFailed: 'reply mail failed',
  invitationFailed: 'invitation mail failed',
  accountMailFailed: 'account mail failed',
  mailerFailed: 'the mail worker failed and will try again',
  searchFailed: 'indexing submissions for search failed',
  localeUnreadable: "the site's locale could not be read",
  retentionApplied: 'expired submissions removed',
  housekeepingFailed: 'housekeeping failed',
  cleanUpFailed: 'cleaning up deleted data failed',
  webhookDelivered: 'webhook delivered',
  attemptFailed: 'webhook attempt failed',
  deliveriesBlocked: 'webhook deliveries are pending because they cannot be sent',
  dispatcherFailed: 'the webhook dispatcher failed and will try again',
  claimsNotReleased: 'claims could not be released',
  leasesNotRenewed: 'leases could not be renewed',
  connectionsNotClosed: 'connections could not be closed',
  attemptNotRecorded: 'a webhook attempt was not recorded',
  backupMade: 'backup made',
  // The doctor names it.
  backupFailed: 'the daily backup failed',
  heartbeatFailed: "this server's heartbeat failed",
  signOffFailed: 'this server could not sign off',
  separateServer:
    'another server uses this database with its own DATA_DIR: each publishes on its own and keeps its own files',
  endedLate: 'the program did not end in time and was stopped',
  endFailed: 'the program could not end cleanly',
}

/** What `npm run dev` says after a sync. */
export const developmentTexts = {
  synced: 'content is up to date',
  syncedExceptConflicts: 'the rest of the content is up to date',
}
