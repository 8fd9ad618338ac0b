import { noticeKinds } from '../packages/server/src/core/notices/kinds.ts';

const audiences = {
  holder: 'the registrant',
  customer: 'the customer',
  owner: 'your own account',
  person: 'a user of your account',
  target: 'the forwarding address',
};

/** What customers of a reseller are told, and when: the table of kinds. */
export function noticesPage(): string {
  const rows = Object.entries(noticeKinds).map(
    ([kind, { audience, isOptional, when, facts }]) =>
      `| \`${kind}\` | ${audiences[audience]} | ${when} | ${isOptional ? 'yes' : 'no'} | ${facts.map((fact) => `\`${fact}\``).join(', ')} |`,
  );
  return `# Email notices to your customers

Namehold sends email notices to the registrants of your domains under your brand. A notice is stored in the same transaction as the change it reports, and sent
afterwards. If the mail server is unavailable, nothing else waits for it, and the notices are sent when it is back.

| kind | recipient | when | optional | placeholders in addition to \`recipient\` and \`brand\` |
|---|---|---|---|---|
${rows.join('\n')}

- \`GET /v1/notices\` lists what was sent and whether it arrived (\`sent\`, \`failed\`, \`bounced\`); \`GET /v1/notices/{notice_id}\` shows the words. A link's token is never shown:
  \`[token]\` stands for it. The event \`notice.undelivered\` tells of what did not arrive.
- \`PUT /v1/notices/brand\` sets name, sender, address for answers, logo and language (\`en\`, \`id\`, or \`auto\`: by the country of who gets it). A sender of your own must be an address at a
  living name of yours. \`suppressed\` names the kinds that you tell of yourself; those that policy demands cannot be left out.
- \`PUT /v1/notices/texts/{kind}/{language}\` sets words of your own, \`DELETE\` takes them back, \`POST /v1/notices/preview\` shows how they would arrive. \`{{domain}}\` is replaced by a fact;
  \`{{#renewal_price}}...{{/renewal_price}}\` stands only where there is one, \`{{^registrar}}...{{/registrar}}\` only where there is none. The text is plain: HTML is made from it.
- Prices in a notice are those that you ask of customers. Where you have set none, the sentence about them is left out: what you pay yourself is told to nobody.
- Mail to your own account comes from the account above yours.
- **The end of a term.** Holders are told on the dates of the class of the TLD (\`expiry_notice_days\` of \`GET /v1/tlds/{name}\` says otherwise); of dates that were missed the latest is told, once. A gTLD name that nobody pays does not resolve for the last
  8 days before it is deleted (\`interruption_days\`): \`domain_interrupted\` to the holder, \`domain.interrupted\` to you, the date in the timeline. A renewal ends it at once; a suspension of your own stays.
- **Confirmation of the address.** The holder of a gTLD name is asked by \`holder_verification\` and has 15 days, with a reminder after a week. The link leads to a page that shows what is confirmed; one click confirms the address
  for all your names that have it. Without it the name goes out of the DNS, \`raa_verification\` says \`Suspended\`, and the click brings it back; a suspension of your own stays. \`GET /v1/domains/{domain_id}/raa_verification\`
  tells how it stands and until when, \`POST /v1/domains/{domain_id}/raa_verification/resend\` sends the mail again, the events \`domain.verification_asked\` and \`domain.verified\` tell of it, and the timeline has the date.
  An account that looks after its holders itself (\`looks_after_holders\`, set by the operator) mails them from its own systems: none of the notices to holders leaves here but \`holder_change_asked\`, and
  \`PUT /v1/domains/{domain_id}/raa_verification\` reports what a holder has confirmed.
- In sandbox mode, without a mail server, \`GET /v1/sandbox/mail\` shows what would have left.
`;
}
