import { setTimeout as sleep } from 'node:timers/promises';
import { type Defaults, type ModeWish, wishMode } from './modes.ts';
import { ownerOf } from './moves.ts';
import { pricesOf } from './oracle/price-table.ts';
import { renewalCost } from './oracle/renewals.ts';
import type { Ledger, Play } from './player.ts';
import type { Trader } from './resellers.ts';
import type { Mode, Step } from './script.ts';

/** Sets a mode of a domain without waiting for the answer. */
export async function chooseMode(play: Play, step: Step & { do: 'mode' }): Promise<void> {
  const { installation, ledger, pending } = play;
  const name = ledger.names[step.name] ?? '';
  const buyer = ownerOf(play, step.name);
  const price = renewalCost(pricesOf(name, buyer.level), false);
  const maxCents = step.limit === undefined ? undefined : step.limit === 'exact' ? price : price - 1;
  const wish = await newWish(play, name, buyer, step.mode, maxCents, step.via);
  ledger.wishes.push(wish);
  pending.push(wishMode(installation, wish));
  await sleep(30);
}

const newWish = async (
  { installation, ledger, script }: Play,
  name: string,
  buyer: Trader,
  mode: Mode,
  maxCents: number | undefined,
  via: number,
): Promise<ModeWish> => ({
  name,
  mode,
  maxCents,
  buyer,
  via,
  key: `mode-${name}-${script.seed}-${ledger.wishes.length}`,
  sentAt: await installation.now(),
  answer: 'none',
});

/** While no order is open, so that the initial mode of each later domain is known. */
export async function chooseDefault(
  { installation, ledger }: Play,
  { level, of, mode }: Step & { do: 'default-mode' },
): Promise<void> {
  const { caller, customerId } = ledger.chain[level] as Trader;
  const path = of === 'account' ? '/v1/account/renewal_mode' : `/v1/customers/${customerId}/renewal_mode`;
  for (let left = tries; ; left--) {
    const { status, body } = await installation.call('PUT', path, { form: { renewal_mode: mode }, as: caller });
    if (status === 200) break;
    if (left === 0) throw new Error(`the default ${mode} cannot be set: ${status} ${JSON.stringify(body)}`);
    await sleep(500);
  }
  const defaults = ledger.defaults[level] as Defaults;
  if (of === 'account') defaults.account = mode as Mode;
  else defaults.customer = mode;
}

const tries = 60;

/** The platform may renew the domain at any time now, or is about to. */
export const isToBeRenewed = ({ orders, wishes }: Ledger, name: string): boolean =>
  orders.some((order) => order.name === name && (order.beginsWith ?? 'manual') !== 'manual') ||
  wishes.some((wish) => wish.name === name && wish.mode !== 'manual');

/** The end of the script: its domains are no longer renewed automatically. */
export async function quieten(play: Play): Promise<void> {
  const { installation, ledger } = play;
  for (const [level, defaults] of ledger.defaults.entries()) {
    if (defaults.account !== 'manual')
      await chooseDefault(play, { do: 'default-mode', level, of: 'account', mode: 'manual' });
    if (defaults.customer !== 'default')
      await chooseDefault(play, { do: 'default-mode', level, of: 'customer', mode: 'default' });
  }
  for (const name of ledger.names.filter((each) => isToBeRenewed(ledger, each))) {
    const buyer = ledger.owners.get(name) ?? ledger.orders.find((order) => order.name === name)?.buyer;
    if (buyer === undefined) continue;
    const wish = await newWish(play, name, buyer, 'manual', undefined, 0);
    ledger.wishes.push(wish);
    for (let left = tries; wish.answer === 'none' && left > 0; left--) await wishMode(installation, wish);
  }
}
