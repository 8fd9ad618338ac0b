import { z } from 'zod';
import { addChildHost, removeChildHost, replaceChildHost } from '../../../../core/domains/change/child-hosts.ts';
import { text } from '../../../field.ts';
import { childHostView } from '../read/section-views.ts';
import { changeRoute } from './change-route.ts';
import { showChildHost } from './update-answer.ts';

const hostname = text({ max: 260, about: 'Host name below the domain.', example: 'ns1.example-shop.com' });
const ip_address = text({ max: 45, about: 'IPv4 or IPv6 address.', example: '192.0.2.53' });
const first = 'the host must exist: POST .../childns adds it as prefilled';
const example = { hostname: 'ns1.example-shop.com', ip: '192.0.2.53' };
const given = { hostname: example.hostname, ip_address: example.ip };
const errors = ['already_exists', 'in_use'] as const;

export const addChildNs = changeRoute({
  method: 'POST',
  path: '/childns',
  customer: 'manage',
  summary: 'Create a child nameserver',
  description: 'Creates a host below the domain with a glue address, or adds an address to an existing host.',
  fields: { hostname, ip_address },
  view: childHostView,
  errors,
  example: { input: given, output: example },
  show: showChildHost,
  order: (ctx, caller, where, input) =>
    addChildHost(ctx, caller, where, { hostname: input.hostname, ip: input.ip_address }),
});

export const changeChildNs = changeRoute({
  method: 'PUT',
  path: '/childns/{old_hostname}/{old_ip_address}',
  customer: 'manage',
  summary: 'Change a child nameserver',
  description: 'Changes the name or an address of the host, or both. Domains that use it get the new name.',
  fields: { old_hostname: hostname, old_ip_address: ip_address, hostname, ip_address },
  view: childHostView,
  errors,
  example: {
    input: { old_hostname: given.hostname, old_ip_address: given.ip_address, ...given },
    output: example,
    first,
  },
  show: showChildHost,
  order: (ctx, caller, where, input) =>
    replaceChildHost(
      ctx,
      caller,
      where,
      { hostname: input.old_hostname, ip: input.old_ip_address },
      { hostname: input.hostname, ip: input.ip_address },
    ),
});

export const removeChildNs = changeRoute({
  method: 'DELETE',
  path: '/childns/{hostname}/{ip_address}',
  customer: 'manage',
  summary: 'Remove an address of a child nameserver',
  description: 'Removes the address. With its last address, the host is deleted. A host in use is refused.',
  fields: { hostname, ip_address },
  view: z.object({ deleted: z.literal(true), hostname: z.string(), ip: z.string() }),
  errors,
  example: { input: given, output: { deleted: true, ...example }, first },
  show: showChildHost,
  order: (ctx, caller, where, input) =>
    removeChildHost(ctx, caller, where, { hostname: input.hostname, ip: input.ip_address }),
});
