import { Dice } from '../draw/dice.ts';

/** The history of one domain while the service does not query its registry. */
type Order = 'none' | 'renew' | 'renew-two' | 'delete' | 'restore';
/** Whether the registry executed the order whose answer is lost. */
type Outcome = 'carried-out' | 'never-arrived';
export type Act = 'nothing' | 'transfer-away' | 'delete-there' | 'renew-there';

export interface History {
  readonly tld: string;
  readonly years: number;
  /** The registry renewed automatically and the buyer paid that year, before the period begins. */
  readonly isPaidLate: boolean;
  readonly order: Order;
  readonly fate: Outcome;
  /** Days until each act at the registry. */
  readonly acts: readonly { readonly afterDays: number; readonly act: Act }[];
  readonly daysAfter: number;
  /** How an operator settles an order that no evidence decides. */
  readonly decision: 'done' | 'refused';
}

const longestDays = 500;
/** A pending transfer is approved by the registry after five days. */
export const transferDays = 6;

/** One domain per seed: its history is then the whole statement. */
export function drawHistory(seed: number): History {
  const dice = new Dice(seed);
  const tld = dice.pick(['com', 'com', 'org', 'fr', 'shop']);
  const order = dice.pick<Order>(['none', 'none', 'renew', 'renew', 'renew-two', 'delete', 'restore']);
  const count = dice.between(1, 3);
  let left = dice.between(1, longestDays);
  const acts: History['acts'][number][] = [];
  for (let place = 0; place < count; place += 1) {
    const afterDays = dice.between(0, left);
    left -= afterDays;
    const act = dice.pick<Act>(['transfer-away', 'transfer-away', 'delete-there', 'renew-there', 'nothing']);
    acts.push({ afterDays, act });
  }
  return {
    tld,
    years: dice.chance(0.8) ? 1 : 2,
    isPaidLate: dice.chance(0.25),
    order,
    fate: dice.chance(0.6) ? 'carried-out' : 'never-arrived',
    acts,
    daysAfter: left,
    decision: dice.chance(0.5) ? 'done' : 'refused',
  };
}
