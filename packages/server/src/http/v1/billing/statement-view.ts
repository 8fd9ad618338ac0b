import { Readable } from 'node:stream';
import { formatMoney, money } from '@namehold/base';
import { z } from 'zod';
import type { AppContext } from '../../../core/app-context.ts';
import { badField } from '../../../core/errors.ts';
import type { BalanceAt, StatementLine } from '../../../core/ledger/statement.sql.ts';
import {
  readStatement,
  type Statement,
  statementLimits,
  type Whose,
  wholeStatement,
} from '../../../core/ledger/statement.ts';
import { id, integer, moment } from '../../field.ts';
import { Answer, type Caller } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { cell, csvRow } from './csv.ts';
import { moneyView, showMoney } from './money-view.ts';

/** Whole seconds in UTC. */
export const period = {
  from: moment({ about: 'Start of the period, inclusive.' }),
  to: moment({
    about: 'End of the period, exclusive. A bare date includes that day.',
    endOfDay: true,
  }),
};

export const paging = {
  after: id('Only lines after this one.').optional(),
  limit: integer({
    min: 1,
    max: statementLimits.linesPerPage,
    about: `Maximum number of lines. Default: ${statementLimits.linesPerPageDefault}.`,
    example: 100,
  }).optional(),
};

const balanceView = z
  .object({
    balance: moneyView.describe('Available without credit.'),
    held: moneyView.describe('Held for open orders.'),
  })
  .meta({ id: 'BalanceAt', description: 'The balance at a point in time.' });

const lineView = z.object({
  line_id: z.string().describe('Id of the line. Lines of one account are in the order of their ids.'),
  at: z.string(),
  posting: z
    .enum(['hold', 'release', 'refund', 'fund', 'debit'])
    .describe('Held for an order, released unused, refunded after capture, deposited, or charged by debit note.'),
  transaction_id: z.string(),
  transaction_type: z.string(),
  description: z.string(),
  domain_id: z.string().nullable(),
  amount: moneyView.describe('Negative for outgoing money.'),
  balance: moneyView.describe('Available balance after the line.'),
});

export const statementView = z
  .object({
    reseller_id: z.string(),
    customer_id: z.string().nullable(),
    currency: z.string(),
    from: z.string().describe('Start of the period, inclusive.'),
    to: z.string().describe('End of the period, exclusive.'),
    opening: balanceView.describe('Balance before the first line.'),
    closing: balanceView.describe('Balance after the last line of the period, on whichever page it is.'),
    lines: z.array(lineView),
    has_more: z.boolean(),
    next_after: z.string().nullable().describe('Position of the next page. Absent on the last page.'),
  })
  .meta({ id: 'Statement', description: 'Everything that changed a balance within a period.' });

const showBalance = ({ available, held }: BalanceAt, currency: string): z.output<typeof balanceView> => ({
  balance: showMoney(money(available, currency)),
  held: showMoney(money(held, currency)),
});

const showLine = (line: StatementLine, currency: string): z.output<typeof lineView> => ({
  line_id: line.id,
  at: instantText(line.at),
  posting: line.posting,
  transaction_id: line.transaction_id,
  transaction_type: line.type,
  description: line.description,
  domain_id: line.domain_id,
  amount: showMoney(money(line.amount, currency)),
  balance: showMoney(money(line.balance, currency)),
});

function showStatement({ of, period: over, ...s }: Statement): z.output<typeof statementView> {
  const { currency } = of;
  return {
    reseller_id: of.resellerId,
    customer_id: of.customerId,
    currency,
    from: instantText(over.from),
    to: instantText(over.to),
    opening: showBalance(s.opening, currency),
    closing: showBalance(s.closing, currency),
    lines: s.lines.map((line) => showLine(line, currency)),
    has_more: s.hasMore,
    next_after: s.hasMore ? s.lines.at(-1)!.id : null,
  };
}

interface StatementPeriod {
  readonly from: Date;
  readonly to: Date;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** A bare date ends with the last millisecond of its day. */
function over({ from, to }: StatementPeriod) {
  if (to < from) throw badField('to', 'Must not be before the start of the period.');
  return { from, to: new Date(Math.ceil(to.getTime() / 1000) * 1000) };
}

export async function answerStatement(ctx: AppContext, caller: Caller, whose: Whose, requested: StatementPeriod) {
  const page = { after: requested.after ?? '0', limit: requested.limit ?? statementLimits.linesPerPageDefault };
  return showStatement(await readStatement(ctx, caller, whose, over(requested), page));
}

const header = 'at,line_id,transaction_id,type,posting,description,domain_id,amount,balance,currency';

/**
 * CSV: a line for the opening balance, the lines, a line for the closing balance. Written while it is read, so its length is not
 * limited.
 */
export async function answerStatementFile(
  ctx: AppContext,
  caller: Caller,
  whose: Whose,
  requested: StatementPeriod,
): Promise<Answer> {
  const { of, period: within, opening, slices } = await wholeStatement(ctx, caller, whose, over(requested));
  const { currency } = of;
  const figure = (amount: bigint) => formatMoney(money(amount, currency));
  const balanceLine = (at: Date, label: string, amount: bigint) =>
    csvRow([instantText(at), '', '', '', label, '', '', '', figure(amount), currency]);
  async function* rows() {
    let balance = opening.available;
    yield `${header}\r\n${balanceLine(within.from, 'opening', balance)}`;
    for await (const lines of slices) {
      balance = lines.at(-1)?.balance ?? balance;
      yield lines.map((line) => csvRow(cells(line, figure, currency))).join('');
    }
    yield balanceLine(within.to, 'closing', balance);
  }
  const days = [within.from, within.to].map((at) => at.toISOString().slice(0, 10)).join('_');
  const name = `statement-${of.customerId === null ? of.resellerId : `customer-${of.customerId}`}-${days}.csv`;
  return new Answer(Readable.from(rows()), { headers: { 'Content-Disposition': `attachment; filename="${name}"` } });
}

const cells = (line: StatementLine, figure: (amount: bigint) => string, currency: string): string[] => [
  instantText(line.at),
  line.id,
  line.transaction_id,
  line.type,
  line.posting,
  cell(line.description),
  line.domain_id ?? '',
  figure(line.amount),
  figure(line.balance),
  currency,
];

export const fileCost = 20;

export const statementExample: z.output<typeof statementView> = {
  reseller_id: '1000',
  customer_id: null,
  currency: 'USD',
  from: '2026-11-01T00:00:00Z',
  to: '2026-12-01T00:00:00Z',
  opening: { balance: { amount: '200.00', currency: 'USD' }, held: { amount: '0.00', currency: 'USD' } },
  closing: { balance: { amount: '350.00', currency: 'USD' }, held: { amount: '0.00', currency: 'USD' } },
  lines: [
    {
      line_id: '17',
      at: '2026-11-15T09:00:00Z',
      posting: 'fund',
      transaction_id: '1001',
      transaction_type: 'deposit',
      description: 'bank transfer',
      domain_id: null,
      amount: { amount: '150.00', currency: 'USD' },
      balance: { amount: '350.00', currency: 'USD' },
    },
  ],
  has_more: false,
  next_after: null,
};

export const fileExample = [
  header,
  '2026-11-01T00:00:00Z,,,,opening,,,,200.00,USD',
  '2026-11-15T09:00:00Z,17,1001,deposit,fund,bank transfer,,150.00,350.00,USD',
  '2026-12-01T00:00:00Z,,,,closing,,,,350.00,USD',
  '',
].join('\r\n');
