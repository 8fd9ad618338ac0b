import { systemIds } from '@namehold/base';
import { expect, test } from 'vitest';
import { eppRegistry } from '../../src/registries/epp/driver.ts';
import { sandboxProfile } from '../../src/registries/profiles/sandbox.ts';

/** A registry with its own notation of addresses (RFC 5732 2.5 leaves that open). */
function spelling(...addresses: string[]) {
  const data = {
    name: 'NS1.Example.com',
    addresses: addresses.map((address) => ({ address, version: address.includes(':') ? 'v6' : 'v4' })),
    clID: 'us',
    statuses: [],
  };
  const answer = { kind: 'done', code: 1000, text: '', clTRID: 'x', pending: false, data, ext: {} };
  const pool = { send: async () => answer };
  return eppRegistry({
    id: 'x',
    clientId: 'us',
    profile: sandboxProfile,
    pool: pool as unknown as Parameters<typeof eppRegistry>[0]['pool'],
    chance: systemIds.text,
  });
}

test('treats an address as equal in every notation of a registry', async () => {
  const info = await spelling('192.0.2.1', '2001:DB8:0:0:0:0:0:1', '::FFFF:192.0.2.9').hostInfo('ns1.example.com');
  expect(info).toMatchObject({ data: { addresses: ['192.0.2.1', '2001:db8::1', '::ffff:c000:209'] } });
});
