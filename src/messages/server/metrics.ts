/** The help text of each metric. */
export const metricTexts = {
  submissions: 'Form posts by outcome',
  attempts: 'Webhook attempts by outcome: delivered, or the kind of failure',
  attemptSeconds: 'Duration of webhook attempts',
  queue: 'Unfinished deliveries',
  overdue: 'How long the oldest due delivery has been waiting',
  publishEnded: 'End of the last publish that changed the site or failed',
  publishSeconds: 'Duration of the last publish that changed the site or failed',
}
