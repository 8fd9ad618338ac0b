import { z } from 'zod';
import type { DsRecord, HostAddresses } from '../../../../core/domains/registry/registry.ts';
import { verificationState } from '../../../../core/verification/verification.ts';
import { contractTimeOrNull, instantOrNull } from '../../../wire.ts';
import { raaStatusOf } from './domain-view.ts';
import { dsView } from './ds-view.ts';

/** Parts of a domain that have a call of their own and also stand in its detail. */

export const childHostView = z
  .object({ hostname: z.string(), ip: z.string() })
  .meta({ id: 'ChildHost', description: 'A nameserver below the name itself, with one of its addresses.' });

/** One line an address, as the contract has it. */
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
    verify_by: z.string().nullable().describe('Until when it must be confirmed; null: nothing is waited for.'),
    on_hold: z.boolean().describe('Out of the DNS until it is confirmed.'),
    is_offered: z.boolean(),
    note: z.string(),
  })
  .meta({ id: 'HolderConfirmation', description: 'Whether the holder must confirm the address.' });

const raaNotes = {
  not_asked: 'Nobody was asked: the TLD does not demand it, or the name was here before it did.',
  over: 'The name is not here any more: nothing is waited for.',
  pending: 'The holder was asked by mail; POST .../raa_verification/resend sends it again.',
  held: 'The holder did not confirm in time; the name is out of the DNS until then.',
  held_there:
    'Its registry has no confirmation that counts there, and took the name out of the DNS; what is confirmed here is handed on, and the operator knows.',
  verified: 'The holder has confirmed the address.',
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
