import { denialReasons, denials } from '../../../../core/policy/denial.ts';

const rows = denialReasons.map((reason) => {
  const { sentence, classes, ...more } = denials[reason];
  const only = (classes as readonly string[]).includes('country') ? 'every name' : 'generic TLDs';
  return `| \`${reason}\` | ${sentence} | ${'lock' in more ? `${only}, while that lock holds` : only} |`;
});

/** docs/guide/transferring-out.md, whole. */
export function lettingGoPage(): string {
  return `# Letting a name go

For a transfer the holder needs the code (\`GET /v1/domains/{domain_id}/auth_code\`) and no theft protection on the name. The holder gives the code to the
new registrar, who asks the registry for the name. From then on:

1. \`order_status\` is \`Pending Transfer\`, and \`transfer_away\` says who asks, since when, and when the registry says yes by itself (\`action_at\`, most often five days
   later). The event is \`domain.transfer_requested\`; the timeline has the date too. A registry may forget to tell: every name is compared once a day, a watched one every few minutes.
2. You answer, or not:
   - \`POST /v1/domains/{domain_id}/transfer/approve\`: it goes at once.
   - \`POST /v1/domains/{domain_id}/transfer/reject\` with a \`reason\` of the list below: it stays, and \`domain.transfer_ended\` says so.
   - Silence: the registry approves when \`action_at\` has come.
3. Gone, the name stays here as a tombstone (\`order_status\` is \`Transferred Away\`, \`transfer_away.registrar\` has it, \`transfer_away.action_at\` is the date), with \`domain.transferred_away\`. Its zone is served for some days more,
   so that the new operator can take over without a gap. Nothing renews it any more.

The answer is an operation like any other: where the registry's own answer is lost it is asked what became of the transfer, and only one that is still pending is answered again. Where a
transfer code needs a second yes ([domain-security.md](domain-security.md)), so does an approval.

**Money.** The term and privacy protection are used up with the domain: nothing of them comes back, with one exception. Where the registry had renewed by itself, you have paid for that year, and the domain leaves within the
auto-renew grace, the registry takes the year back, and you get your money back. Privacy protection that was bought with that renewal comes back with it, as with a delete; privacy protection that was bought separately does not.

**Locks.** After a registration, a transfer and a change of holder (name, organisation or e-mail of the registrant) a name of a generic TLD may be kept back for a while. The timeline shows each with the date on which it ends
(\`transfer_lock_ends\`). How long is data with dates, so a new policy counts from its day.

## Reasons for a no

| reason | what it says | for |
|---|---|---|
${rows.join('\n')}
`;
}
