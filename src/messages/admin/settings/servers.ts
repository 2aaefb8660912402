/** The list of servers. */
export const serversTexts = {
  title: 'Servers',
  lead: 'Servers active in the last hour.',
  one: 'SQLite supports only one server. Use PostgreSQL to run more than one server.',
  caption: 'Servers',
  columns: ['Server', 'Health', 'Version', 'Release', 'Started', 'Last seen'],
  leads: 'Runs daily tasks',
  noRelease: 'None',
  health: { healthy: 'Healthy', unhealthy: 'Not accepting requests', silent: 'Not responding' },
}
