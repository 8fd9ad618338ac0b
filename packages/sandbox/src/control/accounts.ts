import { MoneyError, parseMoney } from '@namehold/base';
import { decimal } from '../money/price.ts';
import { registryTenant } from '../registry/registry.ts';
import { sandboxCurrency } from '../tlds/index.ts';
import { type AccountRow, changeAccount, listAccounts, lockBalance, noteDeposit } from './account.sql.ts';
import { type ControlCall, ControlError } from './control.ts';

const shown = (row: AccountRow) => ({
  client_id: row.client_id,
  name: row.name,
  currency: sandboxCurrency,
  balance: decimal(BigInt(row.balance)),
  credit_limit: decimal(BigInt(row.credit_limit)),
  low_balance_threshold: decimal(BigInt(row.low_balance_threshold)),
});

export const showAccounts: ControlCall = async ({ registry }) => ({
  accounts: (await listAccounts(registry.db.as(registryTenant))).map(shown),
});

/** `{"balance": "250.00", "credit_limit": "0.00", "low_balance_threshold": "100.00"}`, each optional. */
export const setAccount: ControlCall = async (control, { parts, body }) => {
  const { registry } = control;
  const clientId = parts[0] ?? '';
  const at = registry.clock.now();
  const balance = amountOf(body.balance);
  const creditLimit = amountOf(body.credit_limit);
  const threshold = amountOf(body.low_balance_threshold);
  const row = await registry.db.transaction(registryTenant, async (tx) => {
    const before = await lockBalance(tx, clientId);
    if (before === undefined) throw new ControlError(404, `no account ${clientId}`);
    if (balance !== null) {
      // Adds a line to the statement, so that its lines always add up to the balance.
      await noteDeposit(tx, { clientId, at, amount: balance - before, balance });
    }
    return changeAccount(tx, clientId, { balance, creditLimit, threshold });
  });
  return shown(row);
};

function amountOf(value: unknown): bigint | null {
  if (value === undefined) return null;
  try {
    return parseMoney(String(value), sandboxCurrency).amount;
  } catch (error) {
    if (error instanceof MoneyError) throw new ControlError(400, error.message);
    throw error;
  }
}
