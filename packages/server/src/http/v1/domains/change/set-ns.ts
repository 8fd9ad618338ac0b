import { z } from 'zod';
import { setNameservers } from '../../../../core/domains/change/set-nameservers.ts';
import { domainLimits } from '../../../../core/model/domain.ts';
import { flag, list } from '../../../field.ts';
import { expectedVersion } from '../../common/if-match.ts';
import { nameserverKeys } from '../read/domain-view.ts';
import { changeRoute } from './change-route.ts';

const example = { ns1: 'ns1.namehold-dns.net', ns2: 'ns2.namehold-dns.net' };

export const setNs = changeRoute({
  method: 'PUT',
  path: '/ns',
  customer: 'manage',
  summary: 'Replace the nameservers',
  description:
    'Replaces all nameservers. External hosts are created at the registry if needed. Hosts below a domain must exist as child nameservers. While the registry has a DS record, nameservers that may lack its keys are refused unless force is given. With If-Match, the change is made only if the nameservers are as you read them; otherwise 412.',
  fields: {
    force: flag(
      'Make the change although the registry has a DS record whose keys the new nameservers may lack.',
    ).optional(),
    ns: list({ max: domainLimits.nameservers, about: 'The nameservers.', example: Object.values(example) }),
  },
  view: z.object(nameserverKeys),
  errors: ['precondition_failed'],
  example: { input: { ns: Object.values(example) }, output: example },
  order: (ctx, caller, where, input) =>
    setNameservers(ctx, caller, where.domain, where.customerId, input.ns, {
      isForced: input.force ?? false,
      expected: expectedVersion(caller),
    }),
});
