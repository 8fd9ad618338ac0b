import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { replaceRRsets } from '../../../core/zones/rrsets/replace-rrsets.ts';
import { Answer, route } from '../../route.ts';
import { expectedOfReplacement } from './expected.ts';
import { bodyValues, comment, domain_id, dry_run, rrsetInput, rrsetList } from './zone-fields.ts';
import { changeExample, changeView, etag, showChange } from './zone-view.ts';

export const replaceRRsetsRoute = route({
  method: 'PUT',
  path: '/domains/{domain_id}/zone/rrsets',
  customer: 'dns',
  area: 'dns',
  style: 'own',
  hasETag: true,
  bodyValues,
  cost: 20,
  summary: 'Replace all RRsets of a zone',
  description:
    'The zone becomes exactly these RRsets; what is not named goes. Nameservers of the zone itself that are not named are kept, and so is the SOA. Needs If-Match with the serial that you read (or * for any), so that nothing is lost that you have not seen; If-None-Match: * where there is no zone yet. dry_run shows the difference first and needs neither.',
  input: z.object({
    domain_id,
    rrsets: rrsetList(rrsetInput),
    dry_run: dry_run.optional(),
    comment: comment.optional(),
  }),
  output: changeView,
  errors: ['not_found', 'conflict', 'precondition_failed', 'precondition_required'],
  example: {
    input: { domain_id: '5001', rrsets: [{ name: 'www', type: 'A', ttl: 3_600, records: ['192.0.2.1'] }] },
    output: changeExample,
  },
  render: showChange,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const isDryRun = input.dry_run ?? false;
    const order = {
      rrsets: input.rrsets,
      expected: expectedOfReplacement(caller, isDryRun),
      isDryRun,
      comment: input.comment,
    };
    const change = await replaceRRsets(ctx, caller, domain, order);
    return new Answer(showChange(change), { headers: etag(change.zone.serial) });
  },
});
