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
    'Replaces all RRsets of the zone; others are deleted. Nameservers at the apex that are not given and the SOA stay. Requires If-Match with the serial that you read (or * for any), so that unseen changes are not lost; or If-None-Match: * for a new zone. dry_run shows the difference and requires neither.',
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
