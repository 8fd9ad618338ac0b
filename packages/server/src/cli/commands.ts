import { accountCommands } from './account-commands.ts';
import { auditCommands } from './audit-commands.ts';
import type { Command } from './command.ts';
import { domainCommands } from './domain-commands.ts';
import { exchangeRateCommands } from './exchange-rate-commands.ts';
import { jobCommands } from './job-commands.ts';
import { mailCommands } from './mail-commands.ts';
import { moneyCommands } from './money-commands.ts';
import { mxCommands } from './mx-commands.ts';
import { nameserverCommands } from './nameserver-commands.ts';
import { paymentCommands } from './payment-commands.ts';
import { reconciliationCommands } from './reconciliation-commands.ts';
import { registryCommands } from './registry-commands.ts';
import { sandboxCommands } from './sandbox-commands.ts';
import { serviceCommands } from './service-commands.ts';
import { tldCommands } from './tld-commands.ts';
import { userCommands } from './user-commands.ts';

/** Every command of `namehold`. */
export const commands: readonly Command[] = [
  ...serviceCommands,
  ...jobCommands,
  ...accountCommands,
  ...userCommands,
  ...moneyCommands,
  ...exchangeRateCommands,
  ...paymentCommands,
  ...auditCommands,
  ...reconciliationCommands,
  ...registryCommands,
  ...tldCommands,
  ...domainCommands,
  ...nameserverCommands,
  ...mailCommands,
  ...mxCommands,
  ...sandboxCommands,
];
