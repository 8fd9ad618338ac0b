import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, Refusal } from '../errors.ts';
import type { Domain } from '../model/domain.ts';
import { findRegistrant, managesRegistrants } from '../notices/recipient.sql.ts';
import { verificationPolicy } from '../policy/verification.ts';
import { asciiAddress } from '../reference/email.ts';
import type { WaitingName } from './verification.sql.ts';
import { releaseNames, verifyAddress } from './verify-address.ts';

/** The address that was accepted as confirmed. */
export interface ReportedConfirmation {
  readonly domainId: string;
  readonly address: string;
  readonly at: Date;
}

/**
 * A reseller that contacts its registrants itself reports that one has confirmed the address, and when. The report counts like a click
 * on our link; the audit log keeps the reporting principal and the address.
 */
export async function reportConfirmedRegistrant(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  confirmed: { readonly address: string; readonly at: Date },
): Promise<ReportedConfirmation> {
  const { reseller_id: resellerId, registrant_contact_id: contactId } = domain;
  let freed: WaitingName[] = [];
  const reported = await writeAsService(ctx, actor, async (tx) => {
    if (!(await managesRegistrants(tx, resellerId)))
      throw new Refusal(
        'conflict',
        'This service verifies your registrants. Your provider has not delegated this to your account.',
        {
          facts: { managesRegistrants: false, looksAfterHolders: false },
        },
      );
    if (confirmed.at.getTime() > ctx.clock.now().getTime() + verificationPolicy.clocksDifferMs)
      throw badField('confirmedAt', 'Must not be in the future.');
    const registrant = contactId === null ? undefined : await findRegistrant(tx, resellerId, contactId);
    const address = asciiAddress(confirmed.address).toLowerCase();
    if (registrant?.email.toLowerCase() !== address)
      throw new Refusal('conflict', `The registrant of ${domain.name} has another email address here.`);
    await audit(ctx, tx, actor, {
      action: 'domain.holder_vouched',
      objectType: 'domain',
      objectId: domain.id,
      after: { address, confirmed_at: confirmed.at.toISOString() },
    });
    freed = await verifyAddress(ctx, tx, actor, { reseller_id: resellerId, address_key: address }, confirmed.at);
    return { domainId: domain.id, address, at: confirmed.at };
  });
  releaseNames(ctx, freed);
  return reported;
}
