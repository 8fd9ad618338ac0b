import type { BalanceInfData } from '@namehold/epp';
import type { Registry, RegistryBalance } from '../../core/ports/registry.ts';
import type { Sender } from './driver.ts';
import { reply } from './reply.ts';

/** Verisign balance-1.0, if the profile includes it. */
export function balanceCommands(s: Sender): Pick<Registry, 'balance'> {
  if (s.profile.namespaces.balance === undefined) return {};
  return {
    balance: () =>
      reply({
        send: () => s.pool.send({ object: 'balance', verb: 'info' }, s.options({ priority: 'background' })),
        read: balanceView,
      }),
  };
}

function balanceView({ availableCredit, creditLimit, threshold }: BalanceInfData): RegistryBalance {
  const { type, value } = threshold;
  return { available: availableCredit, threshold: type === 'FIXED' ? value : shareOf(creditLimit, value) };
}

/** Amounts of the mapping have at most two decimals. */
function shareOf(amount: string, percent: string): string {
  return ((Number(amount) * Number(percent)) / 100).toFixed(2);
}
