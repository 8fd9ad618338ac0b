import { z } from 'zod';
import { cancelPayment, confirmPayment } from '../../../core/payments/confirm.ts';
import { importStatement, type StatementReport } from '../../../core/payments/import-statement.ts';
import { paymentLimits, paymentResults } from '../../../core/payments/payment.ts';
import type { Receipt } from '../../../core/payments/receive.ts';
import { amount, flag, text } from '../../field.ts';
import { route } from '../../route.ts';
import { defaultProvider, provider } from './expect.ts';
import {
  keepPayment,
  paidExample,
  payment_id,
  paymentExample,
  paymentNow,
  paymentView,
  showPayment,
} from './payment-view.ts';

const first = 'requires an expected payment: `POST /payments`';

export const confirmPaymentRoute = route({
  method: 'POST',
  path: '/payments/{payment_id}/confirm',
  sudo: true,
  area: 'billing',
  style: 'own',
  summary: 'Confirm that a payment arrived',
  description:
    'Adds the money to the balance of the payer. When the full amount has arrived, the bills of the payment are paid. A partial amount leaves the payment open; a surplus stays on the balance.',
  input: z.object({
    payment_id,
    amount: amount('The received amount. Default: all that is missing.').optional(),
    entry_id: text({
      max: paymentLimits.eventIdLength,
      about:
        "The bank's own id of the entry. Further confirmations and imports with the same id are not counted again.",
      example: '2026-11-16/0017',
    }).optional(),
  }),
  output: paymentView,
  errors: ['not_found', 'conflict'],
  example: {
    first,
    input: { payment_id: paymentExample.payment_id, entry_id: '2026-11-16/0017' },
    output: paidExample,
  },
  render: ({ expected }: Receipt) => keepPayment(expected!),
  now: paymentNow,
  async answer(ctx, caller, input) {
    const confirmation = { amount: input.amount, entryId: input.entry_id };
    const { expected } = await confirmPayment(ctx, caller, input.payment_id, confirmation);
    return showPayment(ctx, caller, expected!);
  },
});

export const cancelPaymentRoute = route({
  method: 'POST',
  path: '/payments/{payment_id}/cancel',
  area: 'billing',
  style: 'own',
  summary: 'Cancel an expected payment',
  description: 'Money that arrives nevertheless is added to the balance of the payer, and reported as late.',
  input: z.object({ payment_id }),
  output: paymentView,
  errors: ['not_found', 'conflict'],
  example: {
    first,
    input: { payment_id: paymentExample.payment_id },
    output: { ...paymentExample, status: 'cancelled' },
  },
  render: keepPayment,
  now: paymentNow,
  answer: async (ctx, caller, input) => showPayment(ctx, caller, await cancelPayment(ctx, caller, input.payment_id)),
});

const reportView = z.object({
  dry_run: z.boolean(),
  counts: z.record(z.string(), z.number().int()).describe('Number of lines by result.'),
  lines: z.array(
    z.object({
      line: z.number().int().describe('Line of the file, counted from 1.'),
      fate: z.enum(paymentResults).describe('Money is booked only for matched, underpaid, overpaid and late.'),
      reference: z.string().nullable().describe('The reference found in the line.'),
      payment_id: z.string().nullable().describe('The expected payment. Null: none.'),
    }),
  ),
});

const showReport = ({ counts, lines }: StatementReport, isDryRun: boolean): z.output<typeof reportView> => ({
  dry_run: isDryRun,
  counts,
  lines: lines.map(({ paymentId, ...line }) => ({ ...line, payment_id: paymentId })),
});

export const importPaymentsRoute = route({
  method: 'POST',
  path: '/payments/import',
  sudo: true,
  area: 'billing',
  style: 'own',
  cost: 20,
  summary: 'Import a bank statement',
  description:
    "The first line names the columns: amount and reference (text of the payer). Optional columns are currency, date and id (the bank's own). The response has the result of each line, and each line counts once.",
  input: z.object({
    provider: provider.optional(),
    csv: text({
      max: paymentLimits.csvLength,
      about: `The file; at most ${paymentLimits.csvLines} lines.`,
      example: 'date,amount,currency,reference\n2026-11-16,150.00,USD,RF94 4072 5193 6804',
    }),
    dry_run: flag('Dry run: return the result of each line, and record nothing.').optional(),
  }),
  output: reportView,
  errors: ['invalid_argument'],
  example: {
    input: { csv: 'date,amount,currency,reference\n2026-11-16,150.00,USD,order of last week' },
    output: {
      dry_run: false,
      counts: { unknown_reference: 1 },
      lines: [{ line: 2, fate: 'unknown_reference', reference: null, payment_id: null }],
    },
  },
  async answer(ctx, caller, input) {
    const isDryRun = input.dry_run ?? false;
    const order = { provider: input.provider ?? defaultProvider, csv: input.csv, isDryRun };
    return showReport(await importStatement(ctx, caller, order), isDryRun);
  },
});
