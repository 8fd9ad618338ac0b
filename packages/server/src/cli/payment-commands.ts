import { readFileSync } from 'node:fs';
import { formatMoney, money } from '@namehold/base';
import { operatorId } from '../core/actors.ts';
import { confirmPayment } from '../core/payments/confirm.ts';
import { importStatement } from '../core/payments/import-statement.ts';
import { selectExpected } from '../core/payments/payment.sql.ts';
import { type Call, type Command, cliActor, optional, optionalId, positional } from './command.ts';

const reseller = { type: 'string', about: 'Seller that receives the payment; default: the operator.' } as const;
const provider = { type: 'string', about: 'Payment provider; default: bank_transfer.' } as const;
const seller = (call: Call) => cliActor(optionalId(call, 'reseller') ?? operatorId);

const list: Command = {
  name: 'payment list',
  summary: 'List the open payments of a seller',
  usage: 'payment list [--reseller ID] [--all]',
  options: { reseller, all: { type: 'boolean', about: 'Include paid and cancelled payments.' } },
  async run(call) {
    const { resellerId } = seller(call);
    const filter = { viewerId: resellerId, state: call.options.all === true ? undefined : 'open' };
    const { rows, total, totalIs } = await call.tools.withContext((ctx) =>
      selectExpected(ctx.db.as(resellerId), filter, { limit: 100, offset: 0 }),
    );
    const lines = rows.map(
      (e) =>
        `${e.id} ${e.reference} ${e.state}: ${formatMoney(money(e.received, e.currency))} of ${formatMoney(money(e.amount, e.currency))} ${e.currency} from ${e.customer_id === null ? `reseller ${e.payer_id}` : `customer ${e.customer_id}`}`,
    );
    const json = rows.map(({ id, reference, state }) => ({ payment_id: id, reference, status: state }));
    return { lines: [...lines, `${total}${totalIs ? ' or more' : ''} in total`], json };
  },
};

const confirm: Command = {
  name: 'payment confirm',
  summary: "Record a received payment: credit the payer's balance and pay the bills of the payment",
  usage: 'payment confirm PAYMENT [--amount AMOUNT] [--entry ID] [--reseller ID]',
  options: {
    reseller,
    amount: { type: 'string', about: 'Received amount; default: the outstanding amount.' },
    entry: { type: 'string', about: 'Id of the entry at the bank. The same id is credited only once.' },
  },
  async run(call) {
    const id = positional(call, 0, 'the id of the payment');
    const confirmation = { amount: optional(call, 'amount'), entryId: optional(call, 'entry') };
    const { fate, expected, payment } = await call.tools.withContext((ctx) =>
      confirmPayment(ctx, seller(call), id, confirmation),
    );
    const reason = expected?.settlement_reason ? `; the bills were not paid: ${expected.settlement_reason}` : '';
    return {
      lines: [`${id}: ${fate}, deposit ${payment?.transaction_id ?? 'none'}${reason}`],
      json: { payment_id: id, fate, transaction_id: payment?.transaction_id ?? null, status: expected?.state },
    };
  },
};

const statement: Command = {
  name: 'payment import',
  summary: 'Import a bank statement from CSV and report the result of each line',
  usage: 'payment import FILE.csv [--dry-run] [--provider NAME] [--reseller ID]',
  options: { reseller, provider, 'dry-run': { type: 'boolean', about: 'Only report the results; nothing is booked.' } },
  async run(call) {
    const csv = readFileSync(positional(call, 0, 'the file'), 'utf8');
    const isDryRun = call.options['dry-run'] === true;
    const order = { provider: optional(call, 'provider') ?? 'bank_transfer', csv, isDryRun };
    const { counts, lines } = await call.tools.withContext((ctx) => importStatement(ctx, seller(call), order));
    const counted = Object.entries(counts).filter(([, count]) => count > 0);
    return {
      lines: [
        ...lines.map(({ line, fate, reference }) => `line ${line}: ${fate}${reference ? ` ${reference}` : ''}`),
        `${isDryRun ? 'dry run, nothing was booked: ' : ''}${counted.map(([fate, count]) => `${count} ${fate}`).join(', ')}`,
      ],
      json: { dry_run: isDryRun, counts, lines },
    };
  },
};

export const paymentCommands: readonly Command[] = [list, confirm, statement];
