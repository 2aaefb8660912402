/** The help text of each metric. */
export const metricTexts = {
  submissions: 'Form posts, by form and outcome',
  attempts: 'Webhook attempts, by outcome (delivered, or the kind of failure)',
  attemptSeconds: 'Duration of webhook attempts, in seconds',
  queue: 'Unfinished deliveries',
  overdue: 'How long the oldest overdue delivery has been waiting, in seconds',
  publishEnded: 'End time of the last publish that changed the site or failed',
  publishSeconds: 'Duration of the last publish that changed the site or failed, in seconds',
}
