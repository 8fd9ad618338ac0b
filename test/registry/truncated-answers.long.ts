import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutCreates } from './cuts.ts';
import { Shop } from './shop.ts';

/** As many concurrent orders as in the short test. */
const together = 12;
let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop?.close());

test('settles a create whose answer is truncated after any of its bytes', async () => {
  await shop.buy('whole.far');
  const length = await shop.lengthOfCreated('whole.far');
  // The registry's balance is sufficient for a thousand domains, and so is ours.
  expect(length).toBeLessThan(1_000);
  for (let first = 0; first < length; first += together) {
    const places = Array.from({ length: Math.min(together, length - first) }, (_, index) => first + index);
    await cutCreates(shop, 'cut', places);
  }
  expect(await shop.held()).toBe(0);
  await shop.agree();
});
