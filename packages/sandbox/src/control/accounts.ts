import { MoneyError, parseMoney, sql } from '@namehold/base';
import { decimal } from '../money/price.ts';
import { registryTenant } from '../registry/registry.ts';
import { sandboxCurrency } from '../tlds/index.ts';
import { type Control, type ControlCall, ControlError } from './control.ts';

interface AccountRow {
  readonly client_id: string;
  readonly name: string;
  readonly balance: string;
  readonly credit_limit: string;
  readonly low_balance_threshold: string;
}

const shown = (row: AccountRow) => ({
  client_id: row.client_id,
  name: row.name,
  currency: sandboxCurrency,
  balance: decimal(BigInt(row.balance)),
  credit_limit: decimal(BigInt(row.credit_limit)),
  low_balance_threshold: decimal(BigInt(row.low_balance_threshold)),
});

const selectAccounts = ({ registry }: Control) =>
  registry.db.as(registryTenant).many<AccountRow>(sql`
    select client_id, name, balance, credit_limit, low_balance_threshold from registrar order by client_id`);

export const showAccounts: ControlCall = async (control) => ({ accounts: (await selectAccounts(control)).map(shown) });

/** `{"balance": "250.00", "credit_limit": "0.00", "low_balance_threshold": "100.00"}`, each of them optional. */
export const setAccount: ControlCall = async (control, { parts, body }) => {
  const { registry } = control;
  const clientId = parts[0] ?? '';
  const at = registry.clock.now();
  const balance = amountOf(body.balance);
  const creditLimit = amountOf(body.credit_limit);
  const threshold = amountOf(body.low_balance_threshold);
  const row = await registry.db.transaction(registryTenant, async (tx) => {
    const before = await tx.maybe<{ balance: string }>(
      sql`select balance from registrar where client_id = ${clientId} for update`,
    );
    if (before === undefined) throw new ControlError(404, `no account ${clientId}`);
    if (balance !== null) {
      // The statement stays complete: its lines always add up to the balance.
      await tx.run(sql`insert into statement (at, client_id, kind, command, amount, balance_after)
        values (${at}, ${clientId}, 'deposit', 'deposit', ${balance - BigInt(before.balance)}, ${balance})`);
    }
    return tx.one<AccountRow>(sql`
      update registrar set balance = coalesce(${balance}, balance), credit_limit = coalesce(${creditLimit}, credit_limit),
        low_balance_threshold = coalesce(${threshold}, low_balance_threshold)
      where client_id = ${clientId} returning client_id, name, balance, credit_limit, low_balance_threshold`);
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
