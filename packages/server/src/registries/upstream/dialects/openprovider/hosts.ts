import { isIPv6 } from 'node:net';
import type { WholeHostCalls } from '../../dialect.ts';
import { textOf } from '../../fields.ts';
import type { Nested } from './contacts.ts';
import { order, question, removal, rowsOf } from './message.ts';

const path = '/dns/nameservers';
const pathOf = (hostname: string): string => `${path}/${encodeURIComponent(hostname)}`;

function hostOf(name: string, addresses: readonly string[]): Nested {
  const [four, six] = [addresses.find((each) => !isIPv6(each)), addresses.find((each) => isIPv6(each))];
  return { name, ...(four === undefined ? {} : { ip: four }), ...(six === undefined ? {} : { ip6: six }) };
}

/** A domain does not show its child nameservers, so they are queried only for their own commands. */
export const hosts: WholeHostCalls = {
  onePerFamily: true,
  set: (_detail, hostname, addresses, isNew) => [
    order(isNew ? 'POST' : 'PUT', isNew ? path : pathOf(hostname), hostOf(hostname, addresses)),
  ],
  remove: (_detail, hostname) => [removal(pathOf(hostname))],
  rename: (_detail, hostname, newName, addresses) => [
    order('POST', path, hostOf(newName, addresses)),
    removal(pathOf(hostname)),
  ],
  async read(send, _detail, hostname) {
    const { reply } = await send(question(path, { name: hostname, limit: '100' }));
    if (reply.kind !== 'done') return reply;
    const found = rowsOf(reply.data);
    if (!found) return { kind: 'unsent', why: `the nameserver ${hostname} cannot be read` };
    const row = found.rows.find(({ name }) => textOf(name)?.toLowerCase() === hostname);
    const addresses = [textOf(row?.ip), textOf(row?.ip6)].filter((each) => each !== undefined);
    return { ...reply, data: addresses };
  },
};
