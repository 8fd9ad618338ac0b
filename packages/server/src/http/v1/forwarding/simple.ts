import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { findForwarding } from '../../../core/forwarding/forwarding.sql.ts';
import { forwardingLimits } from '../../../core/forwarding/rule.ts';
import { changedOf, type ForwardingChanged, setForwarding } from '../../../core/forwarding/set-forwarding.ts';
import { simpleEdit, simpleView as viewOf, withSimpleFieldNames } from '../../../core/forwarding/simple.ts';
import type { Edited } from '../../../core/zones/change/change-zone.ts';
import { flag, text } from '../../field.ts';
import { route } from '../../route.ts';
import { customerCheck, domain_id } from '../domains/buy/order-fields.ts';
import { replace_records } from './forwarding-fields.ts';
import { noForwarding, showSimple, simpleView } from './simple-view.ts';

const path = '/domains/{domain_id}/domain_forwarding';
const example = { ...noForwarding, url_dest: 'https://example.net/' };

export const readSimpleForwarding = route({
  method: 'GET',
  customer: 'read',
  path,
  area: 'domains',
  style: 'contract',
  summary: 'Read the web forwarding',
  description:
    'Where web requests for the domain are sent. This is a view on the rules of GET .../forwarding for @, www and *.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: simpleView,
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: noForwarding },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    return showSimple(viewOf((await findForwarding(ctx.db.as(domain.reseller_id), domain)).rules));
  },
});

const changedView = simpleView
  .extend({ warnings: z.array(z.string()).optional().describe('Parts that were removed from the markup.') })
  .meta({ id: 'ForwardingChange', description: 'The forwarding as it is now.' });

const showChanged = ({ status, warnings }: ForwardingChanged): z.output<typeof changedView> => ({
  ...showSimple(viewOf(status.row.rules)),
  ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
});

/** Names of the rule fields in this call. */
const fieldNames = { target: 'forward_to', masking: 'url_masking', rules: 'forward_to' };

const markup = (about: string) => text({ min: 0, max: forwardingLimits.markupLength, about });

export const setSimpleForwarding = route({
  method: 'PUT',
  customer: 'manage',
  path,
  area: 'domains',
  style: 'contract',
  summary: 'Set the web forwarding',
  description:
    'Requests for the domain and its www host are redirected to another URL (301). Omitted fields stay. An empty forward_to ends forwarding.',
  input: z.object({
    domain_id,
    forward_to: text({
      min: 0,
      max: forwardingLimits.targetLength,
      about: 'Where requests are sent: an http or https URL. Empty: forwarding ends.',
      example: 'https://example.net/',
    }).optional(),
    meta_tags: markup('Title and meta tags of a masking page.').optional(),
    no_frames_content: markup('Content of a masking page in browsers without frames.').optional(),
    subdomain_forwarding: flag(
      'Also forward host names below it: blog.example.com goes to the target with /blog.',
    ).optional(),
    path_forwarding: flag('Keep the requested path and query.').optional(),
    url_masking: flag('Show the target in a frame, under the requested host.').optional(),
    replace_records: replace_records.optional(),
    customer_id: customerCheck,
  }),
  keepEmpty: ['forward_to', 'meta_tags', 'no_frames_content'],
  output: changedView,
  errors: ['not_found', 'conflict', 'not_available_yet'],
  example: {
    input: { domain_id: '5001', forward_to: 'https://example.net/' },
    output: example,
    first: 'send replace_records=true if the zone has its own address records',
  },
  render: (edited: Edited<ForwardingChanged>) => showChanged(changedOf(edited)),
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    const change = {
      target: input.forward_to,
      metaTags: input.meta_tags,
      pageText: input.no_frames_content,
      withSubdomains: input.subdomain_forwarding,
      withPath: input.path_forwarding,
      isMasked: input.url_masking,
    };
    const order = {
      edit: simpleEdit(change, domain.name, ctx.config),
      replacesRecords: input.replace_records ?? false,
      isDryRun: false,
    };
    return showChanged(await withSimpleFieldNames(() => setForwarding(ctx, caller, domain, order), fieldNames));
  },
});
