/** The list of servers. */
export const serversTexts = {
  title: 'Servers',
  lead: 'Every server that ran within the last hour.',
  one: 'SQLite is for one server. Use PostgreSQL for several.',
  caption: 'Servers',
  columns: ['Server', 'Health', 'Version', 'Release', 'Started', 'Last seen'],
  leads: 'Runs daily tasks',
  noRelease: 'None',
  health: { healthy: 'Healthy', unhealthy: 'Not accepting requests', silent: 'Not responding' },
}
