/** Meanings of the keys in `forms/<slug>.yaml`. A slash stands for a nested key, `[]` for each item of a list. */
export const FORM_KEYS: Readonly<Record<string, string>> = {
  name: 'The form’s name on screens and pages.',
  description: 'The text above the form.',
  status: 'The form’s status. Only `active` forms accept submissions.',
  settings: 'The settings for the form’s text, emails, and spam protection.',
  'settings/submit_label': 'The text of the submit button. Default: `Send`.',
  'settings/success_heading': 'The heading of the thank-you page.',
  'settings/success_body': 'The text of the thank-you page, in Markdown.',
  'settings/success_redirect':
    'An older name for `redirect_url`. It is used only if `redirect_url` is not set.',
  'settings/redirect_url':
    'The URL that visitors are redirected to after they submit the form. Without this key, they see the thank-you page.',
  'settings/notification_email': 'The address that receives an email about each submission, except spam.',
  'settings/notifications': 'Additional notification emails, for some or all submissions.',
  'settings/notifications[]/to': 'The recipients’ email addresses.',
  'settings/notifications[]/when':
    'The condition that a submission must match. Default: the email is sent for every submission.',
  'settings/notifications[]/subject':
    'The email’s subject. `{{full_name}}` inserts the answer to the field `full_name`. Default: the service, the place, and the first answers.',
  'settings/notifications[]/text':
    'The email’s text. It can also contain placeholders such as `{{full_name}}`. Default: all answers.',
  'settings/notifications[]/fallback':
    'Whether this email is sent only for submissions that match no other entry in `notifications`.',
  'settings/reply': 'The automatic reply to the visitor. Without this key, no reply is sent.',
  'settings/reply/subject': 'The reply’s subject. It can contain placeholders such as `{{full_name}}`.',
  'settings/reply/text': 'The reply’s text. It can contain placeholders such as `{{full_name}}`.',
  'settings/reply/reply_to': 'The reply’s `Reply-To` address. Default: `MAIL_FROM`.',
  'settings/retention_days':
    'The number of days after which submissions are deleted. With `null`, submissions are kept.',
  'settings/anti_spam': 'The spam rules. `false` turns the rules off, and `true` uses the defaults.',
  'settings/anti_spam/max_links':
    'The maximum number of links in a submission. A submission with more links counts as spam. `null` allows any number. Default: `3`.',
  'settings/anti_spam/min_seconds':
    'The minimum time for filling out the form, in seconds. Faster submissions count as spam. Default: `2`.',
  'settings/anti_spam/proof_of_work':
    'Whether the browser must solve a small puzzle before it sends the form. Default: `false`.',
  'settings/honeypot':
    'The name of the spam trap, a hidden field. A submission with a value in this field counts as spam.',
  fields: 'The fields, in display order.',
  'fields[]/name':
    'The name under which answers are stored: lowercase letters, digits, and underscores, starting with a letter.',
  'fields[]/type': 'The field type.',
  'fields[]/label': 'The question that visitors see.',
  'fields[]/placeholder': 'An example shown in the empty input.',
  'fields[]/default_value': 'The prefilled answer. It must pass the field’s validation.',
  'fields[]/required': 'Whether an answer is required.',
  'fields[]/options':
    'The choices of a `select`, `radio`, or `checkbox` field, as `Label/value`. Without a slash, the text is both the label and the value.',
  'fields[]/validation': 'The rules for the answer. The available keys depend on the field type.',
  'fields[]/validation/min_length': 'The minimum length, in characters.',
  'fields[]/validation/max_length': 'The maximum length, in characters.',
  'fields[]/validation/min':
    'The smallest allowed number, or the earliest allowed date, such as `2026-11-20`.',
  'fields[]/validation/max': 'The largest allowed number, or the latest allowed date.',
  'fields[]/validation/pattern': 'A regular expression, in RE2 syntax, that the whole answer must match.',
  'fields[]/validation/message': 'The error message to show instead of the default one.',
  'fields[]/validation/accept': 'The allowed file types, such as `[.pdf, image/*]` or `".pdf,image/*"`.',
  'fields[]/validation/max_size':
    'The maximum file size, in bytes. The default is 10 MiB, and the limit is 25 MiB.',
  'fields[]/help_text': 'The hint below the input.',
  webhooks: 'The webhooks that send submissions to other systems.',
  'webhooks[]/name': 'The webhook’s name in the admin.',
  'webhooks[]/url': `The receiver’s URL. \`\${NAME}\` is replaced with the value of the environment variable \`NAME\`.`,
  'webhooks[]/method': 'The HTTP method. `GET` requests have no body.',
  'webhooks[]/headers':
    'Up to 50 HTTP headers, each with a name and a value. To keep a stored value, write `••••`.',
  'webhooks[]/payload_template':
    'The JSON to send. `{{full_name}}` inserts the answer to the field `full_name`. With `null`, all answers are sent.',
  'webhooks[]/fire_on':
    'The condition that a submission must match. Default: the webhook fires for every submission.',
  'webhooks[]/signing_secret': `The secret for signing requests, such as \`\${OFFICE_SECRET}\`. If you leave out this key, the stored secret is kept. \`null\` removes the stored secret.`,
  'webhooks[]/max_retries': 'The maximum number of retries for each delivery.',
  'webhooks[]/enabled': 'Whether the webhook is on.',
  'webhooks[]/fallback':
    'Whether the webhook fires only for submissions that trigger none of the form’s other webhooks.',
  'webhooks[]/accept_redirect':
    'Whether a delivery succeeds if the receiver returns a redirect. Signpost never follows redirects.',
}
