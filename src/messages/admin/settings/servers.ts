/** The list of servers. */
export const serversTexts = {
  title: 'Servers',
  lead: 'Every server that ran within the last hour.',
  one: 'SQLite is for one server. Use PostgreSQL for several.',
  caption: 'Servers',
  columns: ['Server', 'Health', 'Version', 'Release', 'Started', 'Last seen'],
  leads: 'Does the daily work',
  noRelease: 'None',
  health: { healthy: 'Healthy', unhealthy: 'Not taking requests', silent: 'Not responding' },
}
