import type { ListedPrice, Reply } from '../../../../core/ports/registry.ts';
import type { UpstreamClient } from '../../dialect.ts';
import { flagOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { attributesOf, message } from './message.ts';

const types = { create: 'new', renew: 'renewal', transfer: 'transfer' } as const;
/** Prices are of domain names, so one is needed that is not premium. */
const label = 'namehold-price-query';

/** Three requests for each TLD. There is none for a restore. */
export async function priceList(
  send: UpstreamClient,
  tlds: readonly string[],
  { currency }: UpstreamProfile,
): Promise<Reply<readonly ListedPrice[]>> {
  const prices: ListedPrice[] = [];
  for (const tld of tlds)
    for (const [command, reg_type] of Object.entries(types)) {
      const { reply } = await send(message('GET_PRICE', { domain: `${label}.${tld}`, reg_type, period: '1' }));
      // Our account may not sell it.
      if (reply.kind === 'refused') continue;
      if (reply.kind !== 'done') return reply;
      const { price, is_registry_premium } = attributesOf(reply.data);
      const amount = textOf(price);
      if (amount === undefined || !/^\d{1,9}(\.\d{1,4})?$/.test(amount) || flagOf(is_registry_premium)) continue;
      prices.push({ tld, command: command as ListedPrice['command'], years: 1, fee: { amount, currency } });
    }
  return { kind: 'done', data: prices, pending: false, evidence: {} };
}
