import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { deleteZone, type ZoneDeleted } from '../../../core/zones/life/delete-zone.ts';
import { flag } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { expectedSerials } from './expected.ts';
import { domain_id } from './zone-fields.ts';

const show = ({ zone, restorableUntil }: ZoneDeleted) => ({
  deleted: true as const,
  serial: zone.serial,
  restorable_until_at: instantText(restorableUntil),
});

export const deleteZoneRoute = route({
  method: 'DELETE',
  path: '/domains/{domain_id}/zone',
  sudo: true,
  area: 'dns',
  style: 'own',
  summary: 'Delete a zone',
  description:
    'The nameservers stop serving it. If the domain is still delegated to them, confirm=true is required. The content is kept for 30 days. POST .../zone/rollback with the serial of this response restores it.',
  input: z.object({
    domain_id,
    confirm: flag('Delete although the domain is still delegated to our nameservers.').optional(),
  }),
  output: z.object({ deleted: z.literal(true), serial: z.number(), restorable_until_at: z.string() }),
  errors: ['not_found', 'conflict', 'precondition_failed'],
  example: {
    input: { domain_id: '5001', confirm: true },
    output: { deleted: true, serial: 1_790_000_001, restorable_until_at: '2026-12-15T09:00:00Z' },
  },
  render: show,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const order = { isConfirmed: input.confirm ?? false, expected: expectedSerials(caller) };
    return show(await deleteZone(ctx, caller, domain, order));
  },
});
