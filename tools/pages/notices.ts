import { noticeKinds } from '../../packages/server/src/core/notices/kinds.ts';

const audiences = {
  holder: 'the registrant',
  customer: 'the customer',
  owner: 'your own account',
  person: 'a user of your account',
  target: 'the forwarding address',
};

/** docs/guide/notices.md: the email notices to customers of a reseller, with the table of kinds. */
export function noticesPage(): string {
  const rows = Object.entries(noticeKinds).map(
    ([kind, { audience, isOptional, when, facts }]) =>
      `| \`${kind}\` | ${audiences[audience]} | ${when} | ${isOptional ? 'yes' : 'no'} | ${facts.map((fact) => `\`${fact}\``).join(', ')} |`,
  );
  return `# Email notices to your customers

This page lists the emails that Namehold sends to the registrants of your domains under your brand, and how to change
them. A notice is stored in the same transaction as the change that it reports, and sent afterwards. If the mail server
is unavailable, the notices are sent when it is back; nothing else waits for them.

## Set sender and language

\`PUT /v1/notices/brand\` sets name, sender, reply address, logo and language. The language is \`en\`, \`id\`, or \`auto\`: the
country of the recipient decides. Your own sender must be an address at one of your live domains. \`suppressed\` lists the
kinds that you send yourself; kinds that are not optional cannot be suppressed.

Notices to your own account are sent by the account above yours.

## Change the texts

- \`PUT /v1/notices/texts/{kind}/{language}\` sets your own text, and \`DELETE\` restores the default.
  \`POST /v1/notices/preview\` shows the result.
- \`{{domain}}\` is replaced by its value. \`{{#renewal_price}}...{{/renewal_price}}\` is shown only if there is a value,
  and \`{{^registrar}}...{{/registrar}}\` only if there is none.
- The text is plain text; the service creates the HTML.
- Prices in a notice are your customer prices. If you have set none, the sentence with the price is omitted. Your costs
  are never shown.

## Read sent notices

\`GET /v1/notices\` lists notices and their delivery (\`sent\`, \`failed\`, \`bounced\`). \`GET /v1/notices/{notice_id}\` shows
the text; the token of a link is replaced by \`[token]\`. The event \`notice.undelivered\` reports a failed delivery. In
sandbox mode without a mail server, \`GET /v1/sandbox/mail\` shows the emails.

## Expiry notices

Registrants are notified on the dates of the TLD (\`expiry_notice_days\` in \`GET /v1/tlds/{name}\`). If several dates were
missed, only the latest notice is sent.

An unpaid gTLD domain does not resolve for the last 8 days before its deletion (\`interruption_days\`). The registrant
gets \`domain_interrupted\`, and you get the event \`domain.interrupted\`. The timeline has the date. A renewal ends the
interruption at once; a suspension by you stays.

## Confirmation of the email address

The registrant of a gTLD domain must confirm the email address within 15 days. The notice is \`holder_verification\`, with
a reminder after a week. Its link leads to a page that shows the data; one click confirms the address for all your
domains that use it.

Without a confirmation the domain is taken out of the DNS, and \`raa_verification\` is \`Suspended\`. A later confirmation
restores it; a suspension by you stays.

| call | effect |
|---|---|
| \`GET /v1/domains/{domain_id}/raa_verification\` | shows the state and the deadline |
| \`POST /v1/domains/{domain_id}/raa_verification/resend\` | sends the email again |
| \`PUT /v1/domains/{domain_id}/raa_verification\` | reports a confirmation, for accounts that verify registrants themselves |

The events are \`domain.verification_asked\` and \`domain.verified\`; the timeline has the date.

The operator can set \`manages_registrants\` for an account that verifies its registrants itself. Namehold then sends no
notices to its registrants except \`holder_change_asked\`.

## Kinds of notices

| kind | recipient | when | optional | placeholders in addition to \`recipient\` and \`brand\` |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
