import { formatMoney } from '@namehold/base';
import { operatorId } from '../core/actors.ts';
import { setCreditLimit } from '../core/ledger/credit-limit.ts';
import { fundReseller } from '../core/ledger/fund.ts';
import { type Command, cliActor, optional, optionalId, positional, resellerId } from './command.ts';

const fund: Command = {
  name: 'reseller fund',
  summary: "Add money to a reseller's balance, in the name of its parent",
  usage: 'reseller fund ID AMOUNT [--note TEXT] [--parent ID]',
  options: {
    note: { type: 'string', about: 'Text on the statement.' },
    parent: { type: 'string', about: 'Id of the parent reseller; default: the operator.' },
  },
  async run(call) {
    const [id, amount] = [resellerId(call), positional(call, 1, 'the amount')];
    const done = await call.tools.withContext((ctx) =>
      fundReseller(ctx, cliActor(optionalId(call, 'parent') ?? operatorId), id, {
        amount,
        description: optional(call, 'note') ?? 'Funds added by the operator',
      }),
    );
    return {
      lines: [`transaction ${done.id}: ${formatMoney(done)} ${done.currency}`],
      json: { transaction_id: done.id },
    };
  },
};

const creditLimit: Command = {
  name: 'reseller credit-limit',
  summary: 'Set how far below zero the balance of a reseller may go',
  usage: 'reseller credit-limit ID AMOUNT [--parent ID]',
  options: { parent: { type: 'string', about: 'Id of the parent reseller; default: the operator.' } },
  async run(call) {
    const [id, amount] = [resellerId(call), positional(call, 1, 'the amount')];
    await call.tools.withContext((ctx) =>
      setCreditLimit(ctx, cliActor(optionalId(call, 'parent') ?? operatorId), id, amount),
    );
    return { lines: [`credit limit of reseller ${id} is ${amount}`], json: { reseller_id: id, credit_limit: amount } };
  },
};

export const moneyCommands: readonly Command[] = [fund, creditLimit];
