import { isIPv6 } from 'node:net';
import type { WholeHostCalls } from '../../dialect.ts';
import { objectsOf, textOf } from '../../fields.ts';
import type { OpsMap } from './envelope.ts';
import { attributesOf, message } from './message.ts';

const object = 'NAMESERVER';

function addressesOf(addresses: readonly string[]): OpsMap {
  const four = addresses.find((each) => !isIPv6(each));
  const six = addresses.find((each) => isIPv6(each));
  return { ...(four === undefined ? {} : { ipaddress: four }), ...(six === undefined ? {} : { ipv6: six }) };
}

/** A domain does not show its child nameservers, so they are queried only for their own commands. */
export const hosts: WholeHostCalls = {
  onePerFamily: true,
  // A change replaces both addresses.
  set: ({ name: domain }, name, addresses, isNew) => [
    message(isNew ? 'CREATE' : 'MODIFY', { domain, name, ...addressesOf(addresses) }, object),
  ],
  remove: ({ name: domain }, name) => [message('DELETE', { domain, name }, object)],
  rename: ({ name: domain }, name, newName, addresses) => [
    message('MODIFY', { domain, name, new_name: newName, ...addressesOf(addresses) }, object),
  ],
  async read(send, { name: domain }, hostname) {
    const { reply } = await send(message('GET', { domain, name: 'all' }, object));
    if (reply.kind !== 'done') return reply;
    const { nameserver_list: list } = attributesOf(reply.data);
    if (list !== undefined && !Array.isArray(list))
      return { kind: 'unsent', why: `the nameservers of ${domain} cannot be read` };
    const found = objectsOf(list).find(({ name }) => textOf(name)?.toLowerCase() === hostname);
    const addresses = [textOf(found?.ipaddress), textOf(found?.ipv6)].filter((each) => each !== undefined);
    return { ...reply, data: addresses };
  },
};
