import { readFileSync } from 'node:fs';
import { importDomains } from '../core/domains/compare/import.ts';
import { reconcileNames } from '../core/domains/compare/reconcile.ts';
import { type Command, optional, required, UsageError } from './command.ts';

const reconcile: Command = {
  name: 'reconcile',
  summary: 'Compare names with their registries; report and repair what differs',
  usage: 'reconcile [NAME ...] [--repair]',
  options: { repair: { type: 'boolean', about: 'Also bring nameservers and DS records back to what we hold.' } },
  async run({ tools, positionals, options }) {
    const names = positionals.length === 0 ? undefined : positionals;
    const reports = await tools.withContext((ctx) => reconcileNames(ctx, names, { repair: options.repair === true }));
    const differing = reports.filter((report) => report.drift.length > 0);
    const lines = differing.flatMap((report) =>
      report.drift.map((drift) => `${report.name}  ${drift.field}: ${report.outcome}`),
    );
    return {
      lines: [`${reports.length} names compared, ${differing.length} differ`, ...lines],
      json: reports,
      exitCode: differing.length === 0 ? 0 : 1,
    };
  },
};

const domainImport: Command = {
  name: 'domain import',
  summary: 'Adopt names that a registry holds for us and we do not know',
  usage: 'domain import NAME... --registry ID --reseller ID --customer ID [--file NAMES.txt]',
  options: {
    registry: { type: 'string', about: 'The registry that holds them.' },
    reseller: { type: 'string', about: 'Who gets them.' },
    customer: { type: 'string', about: 'The customer of that reseller.' },
    file: { type: 'string', about: 'A file with one name a line, besides or instead of names.' },
  },
  async run(call) {
    const file = optional(call, 'file');
    const listed = file
      ? readFileSync(file, 'utf8')
          .split(/\s+/)
          .filter((name) => name !== '')
      : [];
    const names = [...call.positionals, ...listed];
    if (names.length === 0) throw new UsageError('no names are given');
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
