import type { Capability } from '../../auth/roles/capabilities.ts'

/** Requirements of an admin route. The server refuses posts from other origins before they reach a route. */
export interface Access {
  /** `fresh_password`: signed in, and the password was confirmed within 15 minutes. */
  needs: 'nothing' | 'session' | 'fresh_password'
  /** Capability that the user's role must have; `nothing` only for signing in. */
  allows: Capability | 'nothing'
  /** The capability for a POST, if changing requires more than viewing. */
  allowsPost: Capability | 'nothing'
  /** True if it accepts POST. */
  posts: boolean
  /** True if it is open to users who still have to set up two-step sign-in. */
  beforeTwoFactors?: true
}

const entrance: Access = {
  needs: 'nothing',
  allows: 'nothing',
  allowsPost: 'nothing',
  posts: true,
  beforeTwoFactors: true,
}

function view(allows: Capability): Access {
  return { needs: 'session', allows, allowsPost: allows, posts: false }
}

function change(allows: Capability, allowsPost = allows): Access {
  return { needs: 'session', allows, allowsPost, posts: true }
}

function confirmedView(allows: Capability): Access {
  return { ...view(allows), needs: 'fresh_password' }
}

function confirmedChange(allows: Capability): Access {
  return { ...change(allows), needs: 'fresh_password' }
}

function beforeTwoFactors(access: Access): Access {
  return { ...access, beforeTwoFactors: true }
}

/** Every admin route. Routes missing here are refused. */
export const ROUTES: Readonly<Record<string, Access>> = {
  '/admin': view('use_account'),
  // Answers 404, also when a page rewrites to it.
  '/admin/[...path]': change('use_account'),
  // Answers 403, when a page rewrites to it.
  '/admin/forbidden': view('use_account'),
  '/admin/login': entrance,
  '/admin/login/code': entrance,
  '/admin/login/ended': entrance,
  '/admin/login/passkey': entrance,
  '/admin/login/passkey/options': entrance,
  '/admin/login/reset': entrance,
  '/admin/password-reset/[token]': entrance,
  '/admin/invitation/[token]': entrance,
  '/admin/setup': entrance,
  '/admin/logout': beforeTwoFactors(change('use_account')),
  '/admin/password-check': beforeTwoFactors(change('use_account')),
  '/admin/theme': beforeTwoFactors(change('use_account')),

  '/admin/account': change('use_account'),
  '/admin/account/report': change('read_results'),
  '/admin/account/passkeys/confirmation': beforeTwoFactors(change('use_account')),
  '/admin/account/passkeys/new': beforeTwoFactors(confirmedChange('use_account')),
  '/admin/account/passkeys/options': beforeTwoFactors(confirmedChange('use_account')),
  '/admin/account/passkeys/[id]/removal': confirmedChange('use_account'),
  '/admin/account/password': change('use_account'),
  '/admin/account/recovery-codes': confirmedChange('use_account'),
  '/admin/account/sessions/[id]/end': confirmedChange('use_account'),
  '/admin/account/sessions/removal': confirmedChange('use_account'),
  '/admin/account/two-factors': beforeTwoFactors(confirmedChange('use_account')),
  '/admin/account/two-factors/removal': confirmedChange('use_account'),
  '/admin/audit': view('read_activity'),
  '/admin/servers': view('rule_site'),
  '/admin/users': view('manage_team'),
  '/admin/users/new': confirmedChange('manage_team'),
  '/admin/users/sessions/removal': confirmedChange('rule_site'),
  '/admin/users/two-factors': confirmedChange('rule_site'),
  '/admin/users/[id]': view('manage_team'),
  '/admin/users/[id]/access': confirmedChange('manage_team'),
  '/admin/users/[id]/invitation': confirmedChange('manage_team'),
  '/admin/users/[id]/removal': confirmedChange('manage_team'),
  '/admin/users/[id]/sessions/removal': confirmedChange('manage_team'),
  '/admin/users/[id]/suspension': confirmedChange('manage_team'),
  '/admin/users/[id]/two-factors/removal': confirmedChange('manage_team'),

  '/admin/inbox': change('read_leads'),
  '/admin/inbox/export.csv': confirmedView('export_leads'),
  '/admin/inbox/export.json': confirmedView('export_leads'),
  '/admin/inbox/bulk': change('work_leads'),
  '/admin/inbox/filters/new': change('read_leads'),
  '/admin/inbox/filters/[id]': change('read_leads'),
  '/admin/inbox/filters/[id]/removal': change('read_leads'),
  '/admin/inbox/progress': change('work_leads'),
  '/admin/inbox/removal': change('delete_leads'),
  '/admin/inbox/sorting': change('work_leads'),
  '/admin/inbox/[id]': view('read_leads'),
  '/admin/inbox/[id]/emails/[mail]': change('resend_leads'),
  '/admin/inbox/[id]/files/[file]': view('read_leads'),
  '/admin/inbox/[id]/notes': change('work_leads'),
  '/admin/inbox/[id]/progress': change('work_leads'),
  '/admin/inbox/[id]/notes/[note]/removal': change('work_leads'),

  '/admin/forms': view('edit_forms'),
  '/admin/forms/new': change('edit_forms'),
  '/admin/forms/[form]': view('edit_forms'),
  '/admin/forms/[form]/copy': change('edit_forms'),
  '/admin/forms/[form]/emails': view('edit_forms'),
  '/admin/forms/[form]/emails/new': change('edit_forms'),
  '/admin/forms/[form]/emails/reply': change('edit_forms'),
  '/admin/forms/[form]/emails/[entry]': change('edit_forms'),
  '/admin/forms/[form]/emails/[entry]/removal': change('edit_forms'),
  '/admin/forms/[form]/fields/new': change('edit_forms'),
  '/admin/forms/[form]/fields/order': change('edit_forms'),
  '/admin/forms/[form]/fields/[field]': change('edit_forms'),
  '/admin/forms/[form]/fields/[field]/removal': change('edit_forms'),
  '/admin/forms/[form]/preview': change('edit_forms'),
  '/admin/forms/[form]/removal': change('edit_forms'),
  '/admin/forms/[form]/settings': change('edit_forms'),
  '/admin/forms/[form]/status': change('edit_forms'),
  '/admin/forms/[form]/trial': change('edit_forms'),
  '/admin/forms/[form]/versions': view('edit_forms'),
  '/admin/forms/[form]/versions/[version]': change('edit_forms'),

  '/admin/webhooks': view('edit_webhooks'),
  '/admin/forms/[form]/webhooks': view('edit_webhooks'),
  '/admin/forms/[form]/webhooks/new': change('edit_webhooks'),
  '/admin/forms/[form]/webhooks/[id]': change('edit_webhooks'),
  '/admin/forms/[form]/webhooks/[id]/pause': change('edit_webhooks'),
  '/admin/forms/[form]/webhooks/[id]/removal': change('edit_webhooks'),
  '/admin/forms/[form]/webhooks/[id]/replay': change('edit_webhooks'),
  '/admin/forms/[form]/webhooks/[id]/secret': confirmedChange('edit_webhooks'),
  '/admin/forms/[form]/webhooks/[id]/test': change('edit_webhooks'),
  '/admin/deliveries': view('resend_leads'),
  '/admin/deliveries/[id]': view('resend_leads'),
  '/admin/deliveries/[id]/cancellation': change('resend_leads'),
  '/admin/deliveries/[id]/replay': change('resend_leads'),

  '/admin/entries': view('read_content'),
  '/admin/entries/[type]': view('read_content'),
  '/admin/entries/[type]/new': change('edit_content'),
  '/admin/entries/[type]/order': change('edit_content'),
  '/admin/entries/[type]/preview': change('read_content'),
  '/admin/entries/[type]/status': change('edit_content'),
  '/admin/entries/[type]/[id]': change('read_content', 'edit_content'),
  '/admin/entries/[type]/[id]/removal': change('edit_content'),
  '/admin/entries/[type]/[id]/reset': change('edit_content'),
  '/admin/entries/[type]/[id]/draft': change('edit_content'),
  '/admin/entries/[type]/[id]/schedule': change('edit_content'),
  '/admin/entries/[type]/[id]/editors': change('edit_content'),
  '/admin/entries/[type]/[id]/versions': view('read_content'),
  '/admin/entries/[type]/[id]/versions/[version]': change('read_content', 'edit_content'),
  '/admin/entries/[type]/[id]/versions/[version]/page': view('read_content'),
  '/admin/links': view('read_content'),
  '/admin/pictures': view('read_content'),
  '/admin/pictures/choices': view('read_content'),
  '/admin/pictures/descriptions': change('edit_content'),
  '/admin/pictures/new': change('edit_content'),
  '/admin/pictures/variants/[name]': view('read_content'),
  '/admin/pictures/[id]': change('read_content', 'edit_content'),
  '/admin/pictures/[id]/image': view('read_content'),
  '/admin/pictures/[id]/removal': change('edit_content'),
  '/admin/pictures/[id]/replacement': change('edit_content'),
  '/admin/pictures/[id]/versions': view('read_content'),
  '/admin/pictures/[id]/versions/[version]': change('read_content', 'edit_content'),
  '/admin/pictures/[id]/versions/[version]/image': view('read_content'),
  '/admin/privacy': confirmedChange('erase_people'),
  '/admin/privacy/erasure': confirmedChange('erase_people'),
  '/admin/privacy/export': confirmedChange('erase_people'),
  '/admin/reports': view('read_results'),
  '/admin/reports/mail': change('read_results'),
  '/admin/coverage': view('read_content'),
  '/admin/coverage/offers': change('edit_content'),
  '/admin/coverage/places': view('read_content'),
  '/admin/coverage/quality': view('read_content'),
  '/admin/taxonomies': view('read_content'),
  '/admin/taxonomies/new': change('edit_structure'),
  '/admin/taxonomies/[slug]': view('read_content'),
  '/admin/taxonomies/[slug]/moves': change('edit_content'),
  '/admin/taxonomies/[slug]/removal': change('edit_structure'),
  '/admin/taxonomies/[slug]/settings': change('edit_structure'),
  '/admin/taxonomies/[slug]/terms/new': change('edit_content'),
  '/admin/taxonomies/[slug]/terms/[id]': change('read_content', 'edit_content'),
  '/admin/taxonomies/[slug]/terms/[id]/services': change('edit_content'),
  '/admin/taxonomies/[slug]/terms/[id]/removal': change('edit_content'),
  '/admin/taxonomies/[slug]/terms/[id]/versions': view('read_content'),
  '/admin/taxonomies/[slug]/terms/[id]/versions/[version]': change('read_content', 'edit_content'),
  '/admin/content-types': view('read_content'),
  '/admin/content-types/new': change('edit_structure'),
  '/admin/content-types/[type]': change('read_content', 'edit_structure'),
  '/admin/content-types/[type]/removal': change('edit_structure'),

  '/admin/conflicts': change('edit_content'),
  '/admin/publish': change('read_content', 'publish'),
  '/admin/publish/changes': change('read_content', 'publish'),
  '/admin/publish/previews': change('read_content', 'publish'),
  '/admin/publish/previews/[id]/publish': change('publish'),
  '/admin/publish/previews/[id]/removal': change('publish'),
  '/admin/publish/previews/[id]/progress': view('read_content'),
  '/admin/publish/progress': view('read_content'),
  '/admin/publish/[id]': view('read_content'),
  '/admin/publish/[id]/rollback': change('publish'),
  '/admin/trash': view('edit_content'),
  '/admin/trash/[id]/image': view('edit_content'),
  '/admin/trash/[id]/restoration': change('edit_content'),
  '/admin/home': change('edit_settings'),
  '/admin/home/draft': change('edit_settings'),
  '/admin/home/versions': view('edit_settings'),
  '/admin/home/versions/[version]': change('edit_settings'),
  '/admin/home/versions/[version]/page': view('edit_settings'),
  '/admin/settings': change('edit_settings'),
  '/admin/settings/draft': change('edit_settings'),
  '/admin/settings/preview': change('edit_settings'),
  '/admin/settings/replacement': change('edit_settings'),
  '/admin/settings/stages': change('edit_settings'),
  '/admin/settings/theme.css': view('edit_settings'),
  '/admin/settings/versions': view('edit_settings'),
  '/admin/settings/versions/[version]': change('edit_settings'),
  '/admin/settings/versions/[version]/page': view('edit_settings'),
}

/** Returns a route's requirements; undefined for an undeclared route, which nobody can reach. */
export function findAccess(route: string): Access | undefined {
  return Object.hasOwn(ROUTES, route) ? ROUTES[route] : undefined
}
