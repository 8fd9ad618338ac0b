import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { patchRRsets } from '../../../core/zones/rrsets/patch-rrsets.ts';
import { Answer, route } from '../../route.ts';
import { expectedSerials } from './expected.ts';
import { bodyValues, comment, domain_id, dry_run, rrsetEditInput, rrsetList, take_over } from './zone-fields.ts';
import { changeExample, changeView, etag, showChange } from './zone-view.ts';

export const patchRRsetsRoute = route({
  method: 'PATCH',
  path: '/domains/{domain_id}/zone/rrsets',
  customer: 'dns',
  area: 'dns',
  style: 'own',
  hasETag: true,
  bodyValues,
  summary: 'Change RRsets of a zone',
  description:
    'Several changes in one step and under one serial: either all are made or none. Other RRsets stay. With If-Match, the change is made only on the serial that you read; otherwise 412 with the current state. Without a zone, one is created.',
  input: z.object({
    domain_id,
    rrsets: rrsetList(rrsetEditInput).min(1),
    dry_run: dry_run.optional(),
    comment: comment.optional(),
    take_over: take_over.optional(),
  }),
  output: changeView,
  errors: ['not_found', 'conflict', 'managed_record', 'precondition_failed'],
  example: {
    input: { domain_id: '5001', rrsets: [{ name: 'www', type: 'A', ttl: 3_600, records: ['192.0.2.1'] }] },
    output: changeExample,
  },
  render: showChange,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const order = {
      rrsets: input.rrsets,
      expected: expectedSerials(caller),
      isDryRun: input.dry_run ?? false,
      comment: input.comment,
      takesOver: input.take_over ?? false,
    };
    const change = await patchRRsets(ctx, caller, domain, order);
    return new Answer(showChange(change), { headers: etag(change.zone.serial) });
  },
});
