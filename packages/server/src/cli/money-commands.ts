import { readFileSync } from 'node:fs';
import { formatMoney } from '@namehold/base';
import { operatorId } from '../core/actors.ts';
import { setCreditLimit } from '../core/ledger/credit-limit.ts';
import { fundReseller } from '../core/ledger/fund.ts';
import { importPrices } from '../core/pricing/import-csv.ts';
import type { PriceTarget } from '../core/pricing/set-price.ts';
import {
  type Command,
  cliActor,
  optional,
  optionalId,
  positional,
  required,
  resellerId,
  UsageError,
} from './command.ts';

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

const priceImport: Command = {
  name: 'price import',
  summary: 'Import prices from CSV and report rejected lines',
  usage: 'price import FILE.csv --target cost|reseller|customer [--reseller ID] [--all-or-nothing]',
  options: {
    target: {
      type: 'string',
      about: 'cost: prices of registries; reseller: prices for sub-resellers; customer: prices for customers.',
    },
    reseller: { type: 'string', about: 'Reseller that owns the price list; default: the operator.' },
    'all-or-nothing': { type: 'boolean', about: 'Store nothing if a line is refused.' },
  },
  async run(call) {
    const target = required(call, 'target');
    if (!['cost', 'reseller', 'customer'].includes(target))
      throw new UsageError('--target must be cost, reseller or customer');
    const csv = readFileSync(positional(call, 0, 'the file'), 'utf8');
    const report = await call.tools.withContext((ctx) =>
      importPrices(ctx, cliActor(optionalId(call, 'reseller') ?? operatorId), {
        target: target as PriceTarget,
        csv,
        allOrNothing: call.options['all-or-nothing'] === true,
      }),
    );
    const { unknownTlds, ...counted } = report;
    const bad = report.lines
      .filter((line) => line.status !== 'stored')
      .map((line) => `line ${line.line}: ${line.status}${line.reason ? `: ${line.reason}` : ''}`);
    return {
      lines: [
        `${report.stored} stored, ${report.refused} refused`,
        ...bad,
        ...unknownTlds.map((tld) => `${tld} is not in the TLD catalogue: it cannot be ordered yet`),
      ],
      json: { ...counted, unknown_tlds: unknownTlds },
      exitCode: report.refused === 0 ? 0 : 1,
    };
  },
};

export const moneyCommands: readonly Command[] = [fund, creditLimit, priceImport];
