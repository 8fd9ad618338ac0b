import { z } from 'zod';
import { verificationState } from '../../../../core/model/verification.ts';
import type { DsRecord, HostAddresses } from '../../../../core/ports/registry.ts';
import { contractTimeOrNull, instantOrNull } from '../../../wire.ts';
import { raaStatusOf } from './domain-view.ts';
import { dsView } from './ds-view.ts';

/** Sections of the domain detail that also have their own call. */

export const childHostView = z
  .object({ hostname: z.string(), ip: z.string() })
  .meta({ id: 'ChildHost', description: 'A child nameserver with one of its addresses.' });

/** One line for each address, as in the contract. */
export function showChildHosts(hosts: readonly HostAddresses[]): z.output<typeof childHostView>[] {
  return hosts.flatMap(({ hostname, addresses }) => addresses.map((ip) => ({ hostname, ip })));
}

export { dsView };

export function showDs(records: readonly DsRecord[]): z.output<typeof dsView>[] {
  return records.map(({ keytag, algorithm, digesttype, digest, key }) => ({
    keytag,
    algorithm,
    digesttype,
    digest,
    ...(key ? { key } : {}),
  }));
}

export const raaView = z
  .object({
    status: z.string(),
    email: z.string().nullable(),
    start_time: z.string().nullable(),
    verify_by: z.string().nullable().describe('Until when it must be confirmed. Null: no deadline.'),
    on_hold: z.boolean().describe('Suspended from the DNS until it is confirmed.'),
    is_offered: z.boolean(),
    note: z.string(),
  })
  .meta({ id: 'RegistrantConfirmation', description: 'Whether the registrant must confirm the email address.' });

const raaNotes = {
  not_asked: 'No confirmation was requested: the TLD does not require it, or the domain was here before it did.',
  over: 'The domain is no longer in the account: nothing is pending.',
  pending: 'A confirmation was requested by mail. POST .../raa_verification/resend sends it again.',
  held: 'The registrant did not confirm in time. The domain is suspended from the DNS until then.',
  held_there:
    'The registry has no valid confirmation, and suspended the domain from the DNS. A confirmation here is forwarded to the registry, and the operator is notified.',
  verified: 'The registrant has confirmed the address.',
};

type VerificationFacts = Parameters<typeof verificationState>[0];

export function showRaa(domain: VerificationFacts, email: string | null, isOffered: boolean): z.output<typeof raaView> {
  const state = verificationState(domain);
  return {
    status: raaStatusOf(domain),
    email,
    start_time: contractTimeOrNull(domain.verify_since),
    verify_by: state === 'pending' ? instantOrNull(domain.verify_by) : null,
    on_hold: state === 'held' || state === 'held_there',
    is_offered: isOffered,
    note: raaNotes[state],
  };
}

export const raaExample = showRaa(
  {
    state: 'live',
    verify_since: new Date('2026-11-15T09:00:00Z'),
    verify_by: new Date('2026-11-30T09:00:00Z'),
    unverified: false,
    registry_hold: null,
  },
  'sari@example-shop.com',
  true,
);
