import { readFileSync } from 'node:fs';
import { importDomains } from '../core/domains/compare/import.ts';
import { reconcileNames } from '../core/domains/compare/reconcile.ts';
import { type Command, optional, required, UsageError } from './command.ts';

/** What happened to a difference. */
const effects = {
  adopted: 'the value of the registry was taken over',
  reported: 'only reported; nothing was changed',
  repaired: 'repaired at the registry',
  refused: 'the registry refused the repair; see namehold operations --state refused',
  ordered: 'the repair is ordered and not settled yet; see namehold operations',
  busy: 'not repaired, because another operation on the domain is open; run the command again',
} as const;

const inText = (value: unknown): string =>
  Array.isArray(value) && value.length === 0
    ? 'none'
    : Array.isArray(value)
      ? value.join(', ')
      : String(value ?? 'none');

const reconcile: Command = {
  name: 'reconcile',
  summary:
    'Compare domains with their registries and update the database (`verify` compares ledger, orders and registries)',
  usage: 'reconcile [DOMAIN ...] [--repair]',
  options: {
    repair: { type: 'boolean', about: 'Also restore nameservers and DS records at the registry to the stored values.' },
  },
  async run({ tools, positionals, options }) {
    const names = positionals.length === 0 ? undefined : positionals;
    const reports = await tools.withContext((ctx) => reconcileNames(ctx, names, { repair: options.repair === true }));
    const differing = reports.filter((report) => report.drift.length > 0);
    const lines = differing.flatMap(({ name, drift, repair }) =>
      drift.flatMap(({ field, action, ours, theirs }) => [
        `${name}  ${field}: ${effects[action === 'repaired' ? (repair ?? 'ordered') : action]}`,
        `  ours: ${inText(ours)}`,
        `  at the registry: ${inText(theirs)}`,
      ]),
    );
    const uncompared = reports.filter(
      ({ outcome, drift }) => drift.length === 0 && /^(busy|unreachable|missing): |^not held/.test(outcome),
    );
    return {
      lines: [
        `${reports.length} domains compared, ${differing.length} differ`,
        ...lines,
        ...uncompared.map(({ name, outcome }) => `${name}  ${outcome}`),
      ],
      json: reports,
      exitCode: differing.length === 0 ? 0 : 1,
    };
  },
};

const domainImport: Command = {
  name: 'domain import',
  summary: 'Add domains that exist in our account at the registry but not in the database',
  usage: 'domain import DOMAIN... --registry ID --reseller ID --customer ID [--file DOMAINS.txt]',
  options: {
    registry: { type: 'string', about: 'Registry of the domains.' },
    reseller: { type: 'string', about: 'Reseller that gets the domains.' },
    customer: { type: 'string', about: 'Customer of that reseller.' },
    file: { type: 'string', about: 'File with one domain name per line, in addition to the arguments.' },
  },
  async run(call) {
    const file = optional(call, 'file');
    const listed = file
      ? readFileSync(file, 'utf8')
          .split(/\s+/)
          .filter((name) => name !== '')
      : [];
    const names = [...call.positionals, ...listed];
    if (names.length === 0) throw new UsageError('no domains given: list them as arguments or with --file');
    const order = {
      registryId: required(call, 'registry'),
      resellerId: required(call, 'reseller'),
      customerId: required(call, 'customer'),
      names,
    };
    const reports = await call.tools.withContext((ctx) => importDomains(ctx, order));
    const lines = reports.map(
      (report) => `${report.name}: ${report.outcome}${report.detail ? ` (${report.detail})` : ''}`,
    );
    return {
      lines,
      json: reports.map(({ domainId, registryCost, ...each }) => ({
        ...each,
        domain_id: domainId,
        registry_cost: registryCost,
      })),
      exitCode: reports.every((report) => report.outcome === 'imported' || report.outcome === 'known') ? 0 : 1,
    };
  },
};

export const domainCommands: readonly Command[] = [reconcile, domainImport];
