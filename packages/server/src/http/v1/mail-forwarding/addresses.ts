import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import {
  type AddressEdit,
  addAddress,
  changeAddress,
  removeAddress,
  requireForward,
  requireLocalPart,
} from '../../../core/mail-forwarding/edit-address.ts';
import { mailLimits } from '../../../core/mail-forwarding/forward.ts';
import { readMail } from '../../../core/mail-forwarding/read.ts';
import { type MailChanged, mailChangedOf, setMail } from '../../../core/mail-forwarding/set-mail.ts';
import type { Edited } from '../../../core/zones/change/change-zone.ts';
import { flag, list, oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';
import { customerCheck, domain_id } from '../domains/buy/order-fields.ts';
import { forwardExample, mailForwardView, showAddresses, showForward } from './mail-view.ts';

const path = '/domains/{domain_id}/email_forwarding';
const onePath = `${path}/{email}`;

const email = text({
  max: 320,
  about: 'The address at the domain: the part before the @, or the whole address.',
  example: 'info@example-shop.com',
});
const forward_to = list({
  max: mailLimits.targetsPerAddress,
  about: 'Where mail is sent. Each owner must first agree by mail, and gets no forwarded mail before.',
  example: ['sari@example.net'],
});
export const spam = oneOf(['refuse', 'mark'], 'Suspicious mail is refused (default), or marked and forwarded.');
export const replace_records = flag('Replace your own MX records. They return when forwarding ends.');

const changes = {
  forward_to: forward_to.optional(),
  enabled: flag('false: mail is handled as if the address did not exist.').optional(),
  action: oneOf(['forward', 'refuse'], 'refuse: mail is refused, also where there is a catch-all.').optional(),
  spam: spam.optional(),
  replace_records: replace_records.optional(),
  customer_id: customerCheck,
};

const withCoreNames = (input: {
  forward_to?: string[] | undefined;
  enabled?: boolean | undefined;
  action?: 'forward' | 'refuse' | undefined;
  spam?: 'refuse' | 'mark' | undefined;
}) => ({ targets: input.forward_to, enabled: input.enabled, action: input.action, spam: input.spam });

const showChanged = ({ mailStatus, localPart }: MailChanged) =>
  showForward(mailStatus, requireForward(mailStatus.forwards, localPart!));
const renderChanged = (edited: Edited<MailChanged>) => showChanged(mailChangedOf(edited));

export const orderOf = (edit: AddressEdit, replaces: boolean | undefined) => ({
  ...edit,
  replacesRecords: replaces ?? false,
});

export const addAddressRoute = route({
  method: 'POST',
  customer: 'manage',
  path,
  area: 'domains',
  style: 'contract',
  summary: 'Forward mail of an address',
  description: 'The first address of a domain also sets its MX records.',
  input: z.object({ domain_id, email, ...changes }),
  output: mailForwardView,
  errors: ['not_found', 'already_exists', 'conflict', 'not_available_yet'],
  example: {
    input: { domain_id: '5001', email: 'info', forward_to: ['sari@example.net'] },
    output: forwardExample,
    first: 'send replace_records=true if the zone has its own MX records',
  },
  render: renderChanged,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    const edit = addAddress(input.email, withCoreNames(input), domain.name, ctx.config);
    return showChanged(await setMail(ctx, caller, domain, orderOf(edit, input.replace_records)));
  },
});

export const listAddressesRoute = route({
  method: 'GET',
  customer: 'read',
  path,
  area: 'domains',
  style: 'contract',
  summary: 'List forwarded addresses',
  description: 'All addresses, without the catch-all.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.array(mailForwardView),
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: [forwardExample] },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    return showAddresses(await readMail(ctx, domain));
  },
});

export const readAddressRoute = route({
  method: 'GET',
  customer: 'read',
  path: onePath,
  area: 'domains',
  style: 'contract',
  summary: 'Read a forwarded address',
  description: 'Addresses named catch_all and statistics can be read by their full address.',
  input: z.object({ domain_id, email, customer_id: customerCheck }),
  output: mailForwardView,
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001', email: 'info@example-shop.com' },
    output: forwardExample,
    first: 'the address must be forwarded',
  },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    const mailStatus = await readMail(ctx, domain);
    return showForward(mailStatus, requireForward(mailStatus.forwards, requireLocalPart(input.email, domain.name)));
  },
});

export const changeAddressRoute = route({
  method: 'PUT',
  customer: 'manage',
  path: onePath,
  area: 'domains',
  style: 'contract',
  summary: 'Change the forwarding of an address',
  description: 'Omitted fields stay.',
  input: z.object({ domain_id, email, ...changes }),
  output: mailForwardView,
  errors: ['not_found', 'conflict', 'not_available_yet'],
  example: {
    input: { domain_id: '5001', email: 'info@example-shop.com', forward_to: ['sari@example.net'] },
    output: forwardExample,
  },
  render: renderChanged,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    const edit = changeAddress(input.email, withCoreNames(input), domain.name, ctx.config);
    return showChanged(await setMail(ctx, caller, domain, orderOf(edit, input.replace_records)));
  },
});

const deletedView = z.object({ deleted: z.literal(true), email: z.string() });
const showDeleted = ({ mailStatus, localPart }: MailChanged): z.output<typeof deletedView> => ({
  deleted: true,
  email: `${localPart}@${mailStatus.domain.name}`,
});

export const removeAddressRoute = route({
  method: 'DELETE',
  customer: 'manage',
  path: onePath,
  area: 'domains',
  style: 'contract',
  summary: 'Delete a forwarded address',
  description: 'With the last address, the MX records are removed and replaced records return.',
  input: z.object({ domain_id, email, customer_id: customerCheck }),
  output: deletedView,
  errors: ['not_found', 'not_available_yet'],
  example: {
    input: { domain_id: '5001', email: 'info@example-shop.com' },
    output: { deleted: true, email: 'info@example-shop.com' },
  },
  render: (edited: Edited<MailChanged>) => showDeleted(mailChangedOf(edited)),
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    const edit = removeAddress(input.email, domain.name);
    return showDeleted(await setMail(ctx, caller, domain, orderOf(edit, false)));
  },
});
