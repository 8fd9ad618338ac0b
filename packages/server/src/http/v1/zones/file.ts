import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { exportZoneFile } from '../../../core/zones/file/export-file.ts';
import { importZoneFile } from '../../../core/zones/file/import-file.ts';
import { zoneLimits } from '../../../core/zones/limits.ts';
import { FieldRefusal, field } from '../../field.ts';
import { Answer, route } from '../../route.ts';
import { expectedOfReplacement } from './expected.ts';
import { comment, domain_id, dry_run } from './zone-fields.ts';
import { changeExample, changeView, etag, showChange, zoneFileExample } from './zone-view.ts';

const path = '/domains/{domain_id}/zone/file';

export const readZoneFileRoute = route({
  method: 'GET',
  path,
  customer: 'read',
  area: 'dns',
  style: 'own',
  hasETag: true,
  cost: 20,
  summary: 'Read a zone as a zone file',
  description: 'The whole zone in BIND format (RFC 1035), which every nameserver can read. `ETag` is the serial.',
  input: z.object({ domain_id }),
  output: z.string(),
  answerType: 'text/dns',
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: zoneFileExample },
  async answer(ctx, caller, input) {
    const { file, serial } = await exportZoneFile(ctx, caller, await requireDomain(ctx, caller, input.domain_id));
    return new Answer(Buffer.from(file.buffer, file.byteOffset, file.length), { headers: etag(serial) });
  },
});

const zoneFile = field({ type: 'string', maxLength: zoneLimits.zoneFileBytes }, (value) => {
  if (!(value instanceof Uint8Array) || value.length === 0)
    throw new FieldRefusal('The body is empty. Send the zone file as the body, as text/dns.', 'required');
  return value;
});

export const replaceZoneFileRoute = route({
  method: 'PUT',
  path,
  customer: 'dns',
  area: 'dns',
  style: 'own',
  hasETag: true,
  cost: 20,
  summary: 'Replace a zone by a zone file',
  description:
    'Body: a zone file as text/dns. Requires If-Match with the serial that you read, or * for any; or If-None-Match: * for a new zone. A dry run does not. The zone gets exactly the content of the file. Of the SOA, only the mailbox and timers are used. Without NS records at the apex, the current ones stay. All invalid lines are reported (`lines`), and nothing changes if there are any. $INCLUDE and $GENERATE are not supported.',
  input: z.object({ domain_id, file: zoneFile, dry_run: dry_run.optional(), comment: comment.optional() }),
  rawBody: 'file',
  bodyLimitBytes: zoneLimits.zoneFileBytes,
  output: changeView,
  errors: [
    'not_found',
    'conflict',
    'precondition_failed',
    'precondition_required',
    'unsupported_media_type',
    'body_too_large',
  ],
  example: { input: { domain_id: '5001', file: zoneFileExample }, output: changeExample },
  render: showChange,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const isDryRun = input.dry_run ?? false;
    const order = {
      file: input.file,
      expected: expectedOfReplacement(caller, isDryRun),
      isDryRun,
      comment: input.comment,
    };
    const change = await importZoneFile(ctx, caller, domain, order);
    return new Answer(showChange(change), { headers: etag(change.zone.serial) });
  },
});
