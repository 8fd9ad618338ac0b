import { denialReasons, denials } from '../../packages/server/src/core/policy/denial.ts';

const rows = denialReasons.map((reason) => {
  const { sentence, classes, ...more } = denials[reason];
  const only = (classes as readonly string[]).includes('country') ? 'all domains' : 'generic TLDs';
  return `| \`${reason}\` | ${sentence} | ${'lock' in more ? `${only}, while the lock is active` : only} |`;
});

/** The whole of docs/guide/transferring-out.md. */
export function transferOutPage(): string {
  return `# Transfer a domain out

This page explains what happens when another registrar requests one of your domains, and how to approve or reject the
transfer.

## Before the transfer

The registrant needs two things: the auth code (\`GET /v1/domains/{domain_id}/auth_code\`), and theft protection
switched off. The registrant gives the code to the new registrar, which requests the domain at the registry.

After a registration, a transfer or a change of registrant, a domain of a generic TLD can be locked for some time. The
timeline shows each lock with its end date (\`transfer_lock_ends\`).

## Respond to the request

1. The domain shows \`order_status\` \`Pending Transfer\`. \`transfer_away\` has the requesting registrar, the date of the
   request, and the date when the registry approves automatically (\`action_at\`, usually after five days). The event is
   \`domain.transfer_requested\`, and the timeline has the date. If the registry sends no message, the comparison detects
   the request: once a day for all domains, every few minutes for watched ones.
2. Choose one of three responses:
   - Approve: \`POST /v1/domains/{domain_id}/transfer/approve\`. The transfer completes at once.
   - Reject: \`POST /v1/domains/{domain_id}/transfer/reject\` with a \`reason\` from the table below. The domain stays, and
     the event is \`domain.transfer_ended\`.
   - No response: the registry approves at \`action_at\`.
3. After the transfer, a tombstone stays with \`order_status\` \`Transferred Away\`. \`transfer_away\` has the registrar and
   the date (\`action_at\`). The event is \`domain.transferred_away\`. The zone is served for some more days, so that the
   new operator can take over without an outage. The domain is no longer renewed.

Your response is an ordinary [operation](operations.md). If the response of the registry is lost, the service queries
the state of the transfer, and repeats the command only if the transfer is still pending. If your account requires
[approval](approvals.md) for auth codes, approving a transfer needs one too.

## Refunds

The remaining term and privacy protection are not refunded, with one exception: the domain leaves within the auto-renew
grace period, and you have paid for the year that the registry had added. The registry then takes the year back, and you
get a refund. Privacy protection bought with that renewal is refunded with it; privacy protection bought separately is
not.

## Reasons for a rejection

| reason | meaning | for |
|---|---|---|
${rows.join('\n')}
`;
}
