import { expect } from 'vitest';
import { accounts } from './far-registry.ts';
import type { Shop } from './shop.ts';

/**
 * One order per position, all at once. The answer to each create ends after this many bytes, and each order is settled, executed once
 * and charged once.
 */
export async function cutCreates(shop: Shop, label: string, places: readonly number[]): Promise<void> {
  for (const at of places) await shop.far.fault({ on: 'domain:create', do: 'cut', at });
  const names = places.map((at) => `${label}${at}.far`);
  const orders = await Promise.all(names.map((name) => shop.order(name)));
  for (const [index, { status, body, text }] of orders.entries()) {
    if (status === 202) expect(await shop.settled(body.operation_id), names[index]).toBe('done');
    else expect(status, `${names[index]}: ${text}`).toBe(200);
  }
  expect(await shop.far.pendingFaults()).toEqual([]);
  const creates = (await shop.far.log()).filter(({ way, frame }) => way === 'in' && frame.includes('<domain:create '));
  for (const name of names) {
    expect(await shop.charged(name), name).toEqual(['charge create 810']);
    expect(await shop.far.name(name), name).toMatchObject({ sponsor: accounts.ours.id });
    expect((await shop.read(name)).order_status, name).toBe('Live');
    expect(
      creates.filter(({ frame }) => frame.includes(`>${name}<`)),
      name,
    ).toHaveLength(1);
  }
}
