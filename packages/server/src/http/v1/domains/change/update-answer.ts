import { z } from 'zod';
import type { AppContext } from '../../../../core/app-context.ts';
import type { Operation } from '../../../../core/model/operation.ts';
import { showOrder } from '../operation-answer.ts';
import { flagText, showNameservers } from '../read/domain-view.ts';

export const contactIdsView = z
  .object({
    domain_id: z.string(),
    registrant_contact_id: z.string().nullable(),
    admin_contact_id: z.string().nullable(),
    tech_contact_id: z.string().nullable(),
    billing_contact_id: z.string().nullable(),
  })
  .meta({ id: 'DomainContacts', description: 'The contacts of a domain, by role.' });

/** The response of a completed change, also for a repeated request with the same Idempotency-Key. */
export function showUpdate(operation: Operation, ctx: AppContext): unknown {
  if (operation.kind !== 'update') return showOrder(operation);
  const { change, wanted } = operation.request;
  switch (change) {
    case 'nameservers':
      return showNameservers(wanted.nameservers ?? []);
    case 'contacts':
      return {
        domain_id: operation.domain_id,
        registrant_contact_id: wanted.contacts?.registrant ?? null,
        admin_contact_id: wanted.contacts?.admin ?? null,
        tech_contact_id: wanted.contacts?.tech ?? null,
        billing_contact_id: wanted.contacts?.billing ?? null,
      };
    case 'theft_protection':
      return { theft_protection: flagText(wanted.flags?.theft_protection ?? false) };
    case 'locked':
      return { locked: flagText(wanted.flags?.locked ?? false), reason: wanted.reason ?? null };
    case 'suspended':
      return { suspended: flagText(wanted.flags?.suspended ?? false), reason: wanted.reason ?? null };
    case 'dnssec':
      return wanted.addDs?.[0] ?? { deleted: true };
    case 'privacy':
      return { privacy_protection_enabled: flagText(wanted.privacy ?? false) };
    case 'auth_code':
      return { domain_id: operation.domain_id, auth_code: codeOf(operation, ctx) };
  }
}

function codeOf(operation: Operation, ctx: AppContext): string | null {
  if (!operation.secrets_sealed) return null;
  const opened = ctx.vault.open(operation.secrets_sealed, `operation:${operation.id}`);
  return (JSON.parse(opened) as { auth_code: string }).auth_code;
}

export function showChildHost(operation: Operation): unknown {
  if (operation.kind !== 'child_host') return showOrder(operation);
  const { shown } = operation.request;
  return shown.deleted
    ? { deleted: true, hostname: shown.hostname, ip: shown.ip }
    : { hostname: shown.hostname, ip: shown.ip };
}
