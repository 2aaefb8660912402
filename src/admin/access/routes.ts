/** What a route of the admin needs. The server refuses posts of other origins before any route sees them. */
export interface Access {
  /** `fresh_password`: signed in, and the password was confirmed within 15 minutes. */
  needs: 'nothing' | 'session' | 'fresh_password'
  /** Whether it accepts POST. */
  posts: boolean
  /** Whether it also answers users who must set up two-step sign-in first. */
  beforeTwoFactors?: true
}

const entrance: Access = { needs: 'nothing', posts: true, beforeTwoFactors: true }
const view: Access = { needs: 'session', posts: false }
const change: Access = { needs: 'session', posts: true }
const alwaysChange: Access = { ...change, beforeTwoFactors: true }
const confirmedView: Access = { needs: 'fresh_password', posts: false }
const confirmedChange: Access = { needs: 'fresh_password', posts: true }

/** Every route of the admin. A route that is missing here is refused. */
export const ROUTES: Readonly<Record<string, Access>> = {
  '/admin': view,
  // Answers 404, also to what pages rewrite to it.
  '/admin/[...path]': change,
  '/admin/login': entrance,
  '/admin/login/code': entrance,
  '/admin/login/ended': entrance,
  '/admin/invitation/[token]': entrance,
  '/admin/setup': entrance,
  '/admin/logout': alwaysChange,
  '/admin/password-check': alwaysChange,
  '/admin/theme': alwaysChange,

  '/admin/account': change,
  '/admin/account/password': change,
  '/admin/account/recovery-codes': confirmedChange,
  '/admin/account/sessions/[id]/end': confirmedChange,
  '/admin/account/sessions/removal': confirmedChange,
  '/admin/account/two-factors': { ...confirmedChange, beforeTwoFactors: true },
  '/admin/account/two-factors/removal': confirmedChange,
  '/admin/audit': view,
  '/admin/users': view,
  '/admin/users/new': confirmedChange,
  '/admin/users/sessions/removal': confirmedChange,
  '/admin/users/two-factors': confirmedChange,
  '/admin/users/[id]': view,
  '/admin/users/[id]/invitation': confirmedChange,
  '/admin/users/[id]/removal': confirmedChange,
  '/admin/users/[id]/sessions/removal': confirmedChange,
  '/admin/users/[id]/suspension': confirmedChange,
  '/admin/users/[id]/two-factors/removal': confirmedChange,

  '/admin/inbox': change,
  '/admin/inbox/export.csv': confirmedView,
  '/admin/inbox/export.json': confirmedView,
  '/admin/inbox/removal': change,
  '/admin/inbox/sorting': change,
  '/admin/inbox/[id]': view,
  '/admin/inbox/[id]/files/[file]': view,
  '/admin/inbox/[id]/notes': change,
  '/admin/inbox/[id]/notes/[note]/removal': change,

  '/admin/forms': view,
  '/admin/forms/new': change,
  '/admin/forms/[form]': view,
  '/admin/forms/[form]/copy': change,
  '/admin/forms/[form]/fields/new': change,
  '/admin/forms/[form]/fields/order': change,
  '/admin/forms/[form]/fields/[field]': change,
  '/admin/forms/[form]/fields/[field]/removal': change,
  '/admin/forms/[form]/preview': change,
  '/admin/forms/[form]/removal': change,
  '/admin/forms/[form]/settings': change,
  '/admin/forms/[form]/status': change,
  '/admin/forms/[form]/trial': change,

  '/admin/webhooks': view,
  '/admin/forms/[form]/webhooks': view,
  '/admin/forms/[form]/webhooks/new': change,
  '/admin/forms/[form]/webhooks/[id]': change,
  '/admin/forms/[form]/webhooks/[id]/pause': change,
  '/admin/forms/[form]/webhooks/[id]/removal': change,
  '/admin/forms/[form]/webhooks/[id]/replay': change,
  '/admin/forms/[form]/webhooks/[id]/secret': confirmedChange,
  '/admin/forms/[form]/webhooks/[id]/test': change,
  '/admin/deliveries': view,
  '/admin/deliveries/[id]': view,
  '/admin/deliveries/[id]/cancellation': change,
  '/admin/deliveries/[id]/replay': change,

  '/admin/entries': view,
  '/admin/entries/[type]': view,
  '/admin/entries/[type]/new': change,
  '/admin/entries/[type]/preview': change,
  '/admin/entries/[type]/status': change,
  '/admin/entries/[type]/[id]': change,
  '/admin/entries/[type]/[id]/removal': change,
  '/admin/entries/[type]/[id]/reset': change,
  '/admin/entries/[type]/[id]/draft': change,
  '/admin/entries/[type]/[id]/versions': view,
  '/admin/entries/[type]/[id]/versions/[version]': change,
  '/admin/entries/[type]/[id]/versions/[version]/page': view,
  '/admin/coverage': view,
  '/admin/coverage/offers': change,
  '/admin/coverage/quality': view,
  '/admin/taxonomies': view,
  '/admin/taxonomies/new': change,
  '/admin/taxonomies/[slug]': view,
  '/admin/taxonomies/[slug]/moves': change,
  '/admin/taxonomies/[slug]/removal': change,
  '/admin/taxonomies/[slug]/settings': change,
  '/admin/taxonomies/[slug]/terms/new': change,
  '/admin/taxonomies/[slug]/terms/[id]': change,
  '/admin/taxonomies/[slug]/terms/[id]/removal': change,
  '/admin/content-types': view,
  '/admin/content-types/new': change,
  '/admin/content-types/[type]': change,
  '/admin/content-types/[type]/removal': change,

  '/admin/conflicts': change,
  '/admin/publish': change,
  '/admin/publish/progress': view,
  '/admin/publish/[id]': view,
  '/admin/publish/[id]/rollback': change,
  '/admin/settings': change,
}

/** What the route needs; undefined for a route without a declaration, which nobody may reach. */
export function findAccess(route: string): Access | undefined {
  return Object.hasOwn(ROUTES, route) ? ROUTES[route] : undefined
}
