import { z } from 'zod';
import { searchDomains } from '../../../../core/domains/list.ts';
import { partyLimits } from '../../../../core/reference/party.ts';
import { flag, id, moment, oneOf, text } from '../../../field.ts';
import { listAnswer, pageOf, paging } from '../../../page.ts';
import { route } from '../../../route.ts';
import { listStatuses, statusFilters } from '../status-text.ts';
import { domainExample } from './domain-example.ts';
import { domainView, showDomain } from './domain-view.ts';

const email = (whose: string) =>
  text({ max: partyLimits.emailLength, about: `Only domains of the ${whose} with this email address.` }).optional();

const orders = { name: 'name', expiry: 'end', created: 'made' } as const;
const sorts = ['name', '-name', 'expiry', '-expiry', 'created', '-created'] as const;

function orderOf(sort: (typeof sorts)[number] | undefined) {
  if (sort === undefined) return undefined;
  return { by: orders[sort.replace('-', '') as keyof typeof orders], isDown: sort.startsWith('-') };
}

export const listDomains = route({
  method: 'GET',
  path: '/domains',
  customer: 'read',
  area: 'domains',
  style: 'contract',
  isList: true,
  summary: 'List or search domains',
  description:
    'Domains of the calling reseller in order of creation. `domain_name` matches the beginning, and with `exact_domain_name=1` the whole domain name. `exact_domain_name=1` without a domain name matches nothing. Domains that left are listed only by their status (Deleted, Cancelled, Transferred Away). No match returns an empty list.',
  input: z.object({
    ...paging,
    reseller_id: id(
      'Only domains of this reseller: the caller, or a direct sub-reseller with show_child_orders.',
    ).optional(),
    domain_id: id('Only this domain.').optional(),
    customer_id: id('Only domains of this customer.').optional(),
    show_child_orders: flag('Also include domains of direct sub-resellers, read-only.').optional(),
    tld: text({ max: 100, about: 'Only this TLD, without a dot.', example: 'com' }).optional(),
    status: oneOf(statusFilters, 'Only domains in this status.').optional(),
    domain_name: text({
      max: 300,
      about: 'Beginning of the domain name, in any case.',
      example: 'example-shop.com',
    }).optional(),
    exact_domain_name: flag('1: domain_name is the whole domain name.').optional(),
    privacy_protection_enabled: flag('Only with, or only without privacy protection.').optional(),
    creation_time_start: moment({ about: 'Created at or after this time.' }).optional(),
    creation_time_end: moment({ about: 'Created at or before this time.', endOfDay: true }).optional(),
    expiry_date_start: moment({ about: 'Ends at or after this time.' }).optional(),
    expiry_date_end: moment({ about: 'Ends at or before this time.', endOfDay: true }).optional(),
    reseller_email: email('reseller'),
    customer_email: email('customer'),
    sort: oneOf(sorts, 'Sort order of the list; - reverses it. Default: creation.').optional(),
  }),
  output: z.array(domainView),
  errors: [],
  example: { input: { limit: 10, page_no: 1, status: 'Live' }, output: [domainExample] },
  async answer(ctx, caller, input) {
    const listStatus = input.status && listStatuses[input.status];
    const search = {
      resellerId: input.reseller_id,
      resellerEmail: input.reseller_email,
      showChildOrders: input.show_child_orders,
      domainId: input.domain_id,
      customerId: input.customer_id,
      customerEmail: input.customer_email,
      tld: input.tld?.toLowerCase().replace(/^\./, ''),
      listStatus,
      domainName: input.domain_name,
      isExactName: input.exact_domain_name,
      isPrivate: input.privacy_protection_enabled,
      createdFrom: input.creation_time_start,
      createdTo: input.creation_time_end,
      endsFrom: input.expiry_date_start,
      endsTo: input.expiry_date_end,
    };
    const { rows, ...listed } = await searchDomains(ctx, caller, search, pageOf(input), orderOf(input.sort));
    return listAnswer(rows.map(showDomain), listed);
  },
});
