import { canonicalAddress } from '@namehold/base';
import type { Registry } from '../../core/ports/registry.ts';
import type { Sender } from './driver.ts';
import { reply } from './reply.ts';
import { ipAddress } from './translate.ts';

export function hostCommands(s: Sender): Pick<Registry, 'hostInfo' | 'createHost' | 'updateHost' | 'removeHost'> {
  return {
    hostInfo: (hostname, context) =>
      reply({
        send: () => s.pool.send({ object: 'host', verb: 'info', name: hostname }, s.options(context)),
        absent: { value: null },
        read: (data) =>
          data
            ? {
                hostname: data.name.toLowerCase(),
                // A registry may use any spelling; addresses are normalised for comparison as text.
                addresses: data.addresses.map((ip) => canonicalAddress(ip.address) ?? ip.address),
                isOurs: data.clID === s.clientId,
                statuses: data.statuses.map((status) => status.value),
              }
            : null,
      }),
    createHost: (hostname, addresses, context) =>
      reply({
        send: () =>
          s.pool.send(
            { object: 'host', verb: 'create', name: hostname, addresses: addresses.map(ipAddress) },
            s.options(context),
          ),
        read: () => null,
      }),
    updateHost: (hostname, change, context) =>
      reply({
        send: () =>
          s.pool.send(
            {
              object: 'host',
              verb: 'update',
              name: hostname,
              ...(change.add.length > 0 ? { add: { addresses: change.add.map(ipAddress) } } : {}),
              ...(change.remove.length > 0 ? { rem: { addresses: change.remove.map(ipAddress) } } : {}),
              ...(change.newName ? { newName: change.newName } : {}),
            },
            s.options(context),
          ),
        read: () => null,
      }),
    removeHost: (hostname, context) =>
      reply({
        send: () => s.pool.send({ object: 'host', verb: 'delete', name: hostname }, s.options(context)),
        absent: { value: null },
        read: () => null,
      }),
  };
}
