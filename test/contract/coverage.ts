import { readFileSync } from 'node:fs';
import { type ContractEndpoint, contractTable, endpointName } from './table.ts';

/** The identity of an operation; parameters may have other names in the service than in the contract. */
const placeOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly isOffered?: false;
}

interface Coverage {
  readonly done: readonly ContractEndpoint[];
  /** A subset of the done ones: known, documented, and answering `not_available_yet`. */
  readonly notOffered: readonly ContractEndpoint[];
  readonly missing: readonly ContractEndpoint[];
}

export function contractCoverage(operations: readonly Operation[]): Coverage {
  const present = new Set(operations.map(placeOf));
  const refused = new Set(operations.filter((operation) => operation.isOffered === false).map(placeOf));
  return {
    notOffered: contractTable.filter((endpoint) => refused.has(placeOf(endpoint))),
    done: contractTable.filter((endpoint) => present.has(placeOf(endpoint))),
    missing: contractTable.filter((endpoint) => !present.has(placeOf(endpoint))),
  };
}

/** The committed list of missing endpoints. It may only shrink. */
function allowedMissing(): readonly string[] {
  return JSON.parse(readFileSync(new URL('./missing.json', import.meta.url), 'utf8')) as string[];
}

/** Endpoints that were done once and no longer are. */
export function lostEndpoints(operations: readonly Operation[]): string[] {
  const allowed = new Set(allowedMissing());
  return contractCoverage(operations)
    .missing.map(endpointName)
    .filter((name) => !allowed.has(name));
}

export function coverageTable({ done, notOffered, missing }: Coverage): string {
  const areas = [...new Set(contractTable.map((endpoint) => endpoint.area))].sort();
  const count = (list: readonly ContractEndpoint[], area: string) => list.filter((e) => e.area === area).length;
  const row = (area: string, all: number, refused: number, absent: number) =>
    `| ${area} | ${all - refused} | ${refused} | ${absent} |`;
  const rows = areas.map((area) => row(area, count(done, area), count(notOffered, area), count(missing, area)));
  const total = row('all', done.length, notOffered.length, missing.length);
  return ['| area | done | not offered yet | missing |', '|---|---|---|---|', ...rows, total].join('\n');
}

/** The files that `npm run generate` writes: the page of the docs and the list of missing endpoints. Refuses to let the list grow. */
export function coverageFiles(operations: readonly Operation[]): Map<string, string> {
  const lost = lostEndpoints(operations);
  if (lost.length > 0) throw new Error(`the contract lost ${lost.join(', ')}`);
  const coverage = contractCoverage(operations);
  const names = coverage.missing.map(endpointName);
  const list = names.map((name) => `- \`${name.replace(' ', ' /v1')}\``).join('\n');
  const page = `<!-- Made by \`npm run generate\` from test/contract; do not edit. -->
# Contract coverage

Namehold implements the published API of an existing reseller service, so that its clients work unchanged. This page
counts the implemented calls. A test sends valid and invalid requests to every endpoint, in the encodings that clients
use, and compares the responses with the known format. Calls in the column "not offered yet" exist and return
\`not_available_yet\`.

${coverageTable(coverage)}
${names.length === 0 ? '\nAll calls of the contract are implemented.\n' : `\n## Missing\n\n${list}\n`}`;
  return new Map([
    ['docs/guide/contract-coverage.md', page],
    ['test/contract/missing.json', `${JSON.stringify(names, null, 2)}\n`],
  ]);
}
