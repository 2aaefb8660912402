/** Meanings of the keys in `forms/<slug>.yaml`. A slash stands for a nested key, `[]` for each item of a list. */
export const FORM_KEYS: Readonly<Record<string, string>> = {
  name: 'The form’s name on screens and pages.',
  description: 'The text above the form.',
  status: 'Only `active` forms accept submissions.',
  settings: 'The form’s texts, emails, and spam protection.',
  'settings/submit_label': 'The text of the button. Default: `Send`.',
  'settings/success_heading': 'The heading of the thank-you page.',
  'settings/success_body': 'The text of the thank-you page, in Markdown.',
  'settings/success_redirect': 'An older name for `redirect_url`, used only if `redirect_url` is not set.',
  'settings/redirect_url':
    'The URL to which visitors are redirected after they submit the form, instead of the thank-you page.',
  'settings/notification_email': 'The address that gets an email about each submission that isn’t spam.',
  'settings/notifications': 'Additional notification emails, each for some or all submissions.',
  'settings/notifications[]/to': 'The recipients’ email addresses.',
  'settings/notifications[]/when':
    'The condition that a submission must match. Default: the email is sent for every submission.',
  'settings/notifications[]/subject':
    'The email’s subject. `{{full_name}}` inserts the answer to that field. Default: the service, the place, and the first answers.',
  'settings/notifications[]/text':
    'The email’s text, which can also contain answers such as `{{full_name}}`. Default: all answers.',
  'settings/notifications[]/fallback':
    'Whether this email is sent only for submissions that no other entry in `notifications` matches.',
  'settings/reply': 'The automatic reply to the visitor. Without this key, no reply is sent.',
  'settings/reply/subject': 'The reply’s subject, which can contain answers such as `{{full_name}}`.',
  'settings/reply/text': 'The reply’s text, which can contain answers such as `{{full_name}}`.',
  'settings/reply/reply_to': 'The address that visitors write to when they respond. Default: `MAIL_FROM`.',
  'settings/retention_days': 'The number of days after which submissions are deleted. `null` keeps them.',
  'settings/anti_spam': 'The spam rules. `false` turns them off, and `true` uses the defaults.',
  'settings/anti_spam/max_links':
    'The maximum number of links. A submission with more links counts as spam. `null` allows any number. Default: `3`.',
  'settings/anti_spam/min_seconds':
    'The minimum time to fill in the form, in seconds. Faster submissions count as spam. Default: `2`.',
  'settings/anti_spam/proof_of_work':
    'Whether the browser must solve a small puzzle before it sends the form. Default: `false`.',
  'settings/honeypot':
    'The name of the hidden spam trap, a field that people can’t see. A submission with a value in this field counts as spam.',
  fields: 'The fields, in display order.',
  'fields[]/name':
    'The name under which answers are stored: lowercase letters, digits, and underscores, starting with a letter.',
  'fields[]/type': 'The field type.',
  'fields[]/label': 'The question that visitors see.',
  'fields[]/placeholder': 'An example shown in the empty input.',
  'fields[]/default_value': 'The prefilled answer.',
  'fields[]/required': 'Whether an answer is required.',
  'fields[]/options':
    'The choices of a `select`, `radio`, or `checkbox` field, as `Label/value`. A choice without a slash is both label and value.',
  'fields[]/validation': 'Rules for the answer. The available keys depend on the field type.',
  'fields[]/validation/min_length': 'The minimum length, in characters.',
  'fields[]/validation/max_length': 'The maximum length, in characters.',
  'fields[]/validation/min': 'The smallest number, or the earliest date (`2026-11-20`).',
  'fields[]/validation/max': 'The largest number, or the latest date.',
  'fields[]/validation/pattern': 'A pattern that the whole answer must match, in RE2 syntax.',
  'fields[]/validation/message': 'The error message to show instead of the default one.',
  'fields[]/validation/accept': 'The allowed file types, such as `[.pdf, image/*]` or `".pdf,image/*"`.',
  'fields[]/validation/max_size': 'The maximum file size in bytes. Default: 10 MiB. Limit: 25 MiB.',
  'fields[]/help_text': 'The hint below the input.',
  webhooks: 'The webhooks that send submissions to other systems.',
  'webhooks[]/name': 'The webhook’s name in the admin.',
  'webhooks[]/url': `The receiver’s URL. \`\${NAME}\` is replaced with the value of the environment variable \`NAME\`.`,
  'webhooks[]/method': 'The HTTP method. `GET` requests have no body.',
  'webhooks[]/headers': 'Up to 50 HTTP headers, as names with values. To keep a stored value, write `••••`.',
  'webhooks[]/payload_template':
    'The JSON to send. `{{full_name}}` inserts the answer to that field. `null` sends all answers.',
  'webhooks[]/fire_on':
    'The condition that a submission must match. Default: the webhook fires for every submission.',
  'webhooks[]/signing_secret': `The secret that signs requests, such as \`\${OFFICE_SECRET}\`. If you leave this key out, the stored secret is kept. \`null\` removes the stored secret.`,
  'webhooks[]/max_retries': 'The maximum number of retries for each delivery.',
  'webhooks[]/enabled': 'Whether the webhook is on.',
  'webhooks[]/fallback':
    'Whether the webhook fires only for submissions that no other webhook of the form sends.',
  'webhooks[]/accept_redirect': 'Whether a redirect counts as delivered. Signpost never follows redirects.',
}
