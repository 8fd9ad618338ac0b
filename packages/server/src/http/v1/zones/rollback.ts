import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { rollbackZone } from '../../../core/zones/change/rollback.ts';
import { Answer, route } from '../../route.ts';
import { expectedSerials } from './expected.ts';
import { comment, domain_id, dry_run, serial } from './zone-fields.ts';
import { changeExample, changeView, etag, showChange } from './zone-view.ts';

export const rollbackZoneRoute = route({
  method: 'POST',
  path: '/domains/{domain_id}/zone/rollback',
  customer: 'dns',
  area: 'dns',
  style: 'own',
  hasETag: true,
  summary: 'Roll back a zone',
  description:
    'Restores the content of an earlier serial, under a new serial. A rollback can be rolled back, and restores a deleted zone. dry_run shows what would change.',
  input: z.object({ domain_id, serial, dry_run: dry_run.optional(), comment: comment.optional() }),
  output: changeView,
  errors: ['not_found', 'conflict', 'precondition_failed'],
  example: {
    input: { domain_id: '5001', serial: 1_790_000_000 },
    output: changeExample,
    first: 'enter a serial of `GET .../zone/history`',
  },
  render: showChange,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const order = {
      serial: input.serial,
      expected: expectedSerials(caller),
      isDryRun: input.dry_run ?? false,
      comment: input.comment,
    };
    const change = await rollbackZone(ctx, caller, domain, order);
    return new Answer(showChange(change), { headers: etag(change.zone.serial) });
  },
});
