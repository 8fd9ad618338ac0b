import type { Example } from './example.ts';
import { accountExamples } from './examples/account.ts';
import { domainExamples } from './examples/domain.ts';
import { invoiceExamples } from './examples/invoices.ts';
import { mailExamples } from './examples/mail.ts';
import { moneyExamples } from './examples/money.ts';
import { operationExamples } from './examples/operation.ts';
import { operatorExamples } from './examples/operator.ts';
import { orderExamples } from './examples/orders.ts';
import { securityExamples } from './examples/security.ts';
import { transferExamples } from './examples/transfer.ts';

/** They run on one service in the order of the pages; later ones build on earlier ones. */
export const examples: readonly Example[] = [
  ...accountExamples,
  ...domainExamples,
  ...mailExamples,
  ...moneyExamples,
  ...operationExamples,
  ...securityExamples,
  ...transferExamples,
  ...orderExamples,
  ...invoiceExamples,
  ...operatorExamples,
];
