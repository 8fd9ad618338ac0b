import { dialectsOfOthers, dialectsOverEpp, upstreams } from '../simulators/upstreams.ts';
import type { AccountOptions, UpstreamAccount } from './account.ts';
import { CentralNicAccount } from './centralnic-account.ts';
import { SimulatedAccount } from './simulated-account.ts';

type OpenAccount = (options?: AccountOptions) => Promise<UpstreamAccount>;

/** One row for each dialect of an upstream that is not Namehold itself, over HTTP and EPP. */
export const accounts: Readonly<Record<string, OpenAccount>> = {
  ...Object.fromEntries(
    Object.entries(upstreams).map(([dialect, open]): [string, OpenAccount] => [
      dialect,
      async (options) => new SimulatedAccount(await open(options)),
    ]),
  ),
  'centralnic-reseller': (options) => CentralNicAccount.open(options),
};

/** The dialects that need a row. */
export const dialectsWithRows = (): string[] => [...dialectsOfOthers(), ...dialectsOverEpp()].sort();
