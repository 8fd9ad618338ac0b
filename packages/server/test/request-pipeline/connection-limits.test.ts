import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ConnectionLimits, networkOf } from '../../src/core/connection-limits.ts';

const socket = (remoteAddress: string) =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });

test('counts IPv6 connections by /64 and IPv4-mapped addresses as IPv4', () => {
  const of = (address: string) => networkOf(address);
  expect(of('2001:db8:1:2::1')).toBe(of('2001:db8:1:2:ffff::9'));
  expect(of('2001:db8:1:2::1')).not.toBe(of('2001:db8:1:3::1'));
  expect(of('::ffff:192.0.2.1')).toBe('192.0.2.1');
  const limits = new ConnectionLimits({ perNetwork: 1, inAll: 100, exempt: ['::ffff:10.0.0.0/104'] });
  expect(['10.1.1.1', '10.1.1.1', '192.0.2.1', '192.0.2.1'].map((each) => limits.admit(socket(each)))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test.each([
  ['the /48 of IPv6', (network: number) => `2001:db8:1:${network}::1`, '2001:db8:2::1'],
  ['the /24 of IPv4', (network: number) => `192.0.2.${network}`, '198.51.100.1'],
])('leaves places for others when %s uses all that one site gets', (_name, at, elsewhere) => {
  const limits = new ConnectionLimits({ perNetwork: 5, inAll: 40 });
  const opened = [1, 2, 3].flatMap((network) => Array.from({ length: 5 }, () => socket(at(network))));
  expect(opened.filter((each) => limits.admit(each))).toHaveLength(10);
  expect(limits.admit(socket(at(9)))).toBe(false);
  expect(limits.admit(socket(elsewhere))).toBe(true);
  opened[0]!.emit('close');
  expect(limits.admit(socket(at(9)))).toBe(true);
});
