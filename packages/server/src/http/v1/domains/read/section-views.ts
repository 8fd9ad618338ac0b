import { z } from 'zod';
import type { DsRecord, HostAddresses } from '../../../../core/domains/registry/registry.ts';
import { raaStatus } from './domain-view.ts';
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
  return records.map(({ keytag, algorithm, digesttype, digest }) => ({ keytag, algorithm, digesttype, digest }));
}

export const raaView = z
  .object({
    status: z.string(),
    email: z.string().nullable(),
    start_time: z.string().nullable(),
    is_offered: z.boolean(),
    note: z.string(),
  })
  .meta({ id: 'HolderConfirmation', description: 'Whether the holder must confirm the address.' });

/** Nobody is asked to confirm an address yet, so nothing is Verified; and nothing is suspended for it either. */
export function showRaa(registrantEmail: string | null): z.output<typeof raaView> {
  return {
    status: raaStatus,
    email: registrantEmail,
    start_time: null,
    is_offered: false,
    note: 'Verification of registrants is not offered yet; no domain is suspended for want of it.',
  };
}

const zeroOrOne = z.enum(['0', '1']);
export const forwardingView = z
  .object({
    url_dest: z.string().nullable(),
    is_url_masking: zeroOrOne,
    is_subdomain_fwd: zeroOrOne,
    is_path_fwd: zeroOrOne,
    meta_tags: z.string().nullable(),
    no_frames_content: z.string().nullable(),
  })
  .meta({ id: 'Forwarding', description: 'Forwarding of web requests.' });

/** No domain forwards anything yet. */
export const noForwarding: z.output<typeof forwardingView> = {
  url_dest: null,
  is_url_masking: '0',
  is_subdomain_fwd: '0',
  is_path_fwd: '0',
  meta_tags: null,
  no_frames_content: null,
};
