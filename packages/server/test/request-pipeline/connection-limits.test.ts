import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ConnectionLimits, networkOf } from '../../src/core/connection-limits.ts';

test('counts IPv6 connections by /64 and IPv4-mapped addresses as IPv4', () => {
  const of = (address: string) => networkOf(address);
  expect(of('2001:db8:1:2::1')).toBe(of('2001:db8:1:2:ffff::9'));
  expect(of('2001:db8:1:2::1')).not.toBe(of('2001:db8:1:3::1'));
  expect(of('::ffff:192.0.2.1')).toBe('192.0.2.1');
  const limits = new ConnectionLimits(1, ['::ffff:10.0.0.0/104']);
  const socket = (remoteAddress: string) =>
    Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  expect(['10.1.1.1', '10.1.1.1', '192.0.2.1', '192.0.2.1'].map((each) => limits.admit(socket(each)))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
