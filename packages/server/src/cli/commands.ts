import { accountCommands } from './account-commands.ts';
import { auditCommands } from './audit-commands.ts';
import type { Command, Option } from './command.ts';
import { domainCommands } from './domain-commands.ts';
import { exchangeRateCommands } from './exchange-rate-commands.ts';
import { jobCommands } from './job-commands.ts';
import { moneyCommands } from './money-commands.ts';
import { mailCommands, mxCommands } from './mx-commands.ts';
import { nameserverCommands } from './nameserver-commands.ts';
import { paymentCommands } from './payment-commands.ts';
import { priceCommands } from './price-commands.ts';
import { reconciliationCommands } from './reconciliation-commands.ts';
import { registryCommands } from './registry-commands.ts';
import { routeCommands } from './route-commands.ts';
import { sandboxCommands } from './sandbox-commands.ts';
import { serviceCommands } from './service-commands.ts';
import { tldCommands } from './tld-commands.ts';
import { userCommands } from './user-commands.ts';

/** All commands of `namehold`. A renamed command or option lists its former name as an alias. */
export const commands: readonly Command[] = [
  ...serviceCommands,
  ...jobCommands,
  ...accountCommands,
  ...userCommands,
  ...moneyCommands,
  ...priceCommands,
  ...exchangeRateCommands,
  ...paymentCommands,
  ...auditCommands,
  ...reconciliationCommands,
  ...registryCommands,
  ...routeCommands,
  ...tldCommands,
  ...domainCommands,
  ...nameserverCommands,
  ...mailCommands,
  ...mxCommands,
  ...sandboxCommands,
];

/** The present name of a command first, then its former names. */
const namesOf = ({ name, aliases = [] }: Command): readonly string[] => [name, ...aliases];

/** The command that the arguments begin with, and how many of them are its name. Longer names come first. */
export function findCommand(argv: readonly string[]): { command: Command; length: number } | undefined {
  const found = commands
    .flatMap((command) => namesOf(command).map((name) => ({ command, path: name.split(' ') })))
    .filter(({ path }) => path.every((name, i) => argv[i] === name))
    .sort((a, b) => b.path.length - a.path.length)[0];
  return found && { command: found.command, length: found.path.length };
}

/** The commands of a group, such as `key` or, by its former name, `person`. */
export const commandsIn = (group: string): readonly Command[] =>
  commands.filter((command) => namesOf(command).some((name) => name.startsWith(`${group} `)));

/** ` (alias: mend)` in help texts; empty without an alias. */
export function aliasNote({ aliases = [], alias }: Pick<Command, 'aliases'> & Pick<Option, 'alias'>): string {
  const former = [...aliases, ...(alias === undefined ? [] : [`--${alias}`])];
  return former.length === 0 ? '' : ` (alias: ${former.join(', ')})`;
}
