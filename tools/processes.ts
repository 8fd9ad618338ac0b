import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The processes and threads beside the service, and the folders and files of the server that each may load, directly or not. They face
 * strangers, so they contain nothing of accounts, money and orders.
 */
const processes: readonly {
  readonly entry: string;
  readonly about: string;
  readonly loads: readonly string[];
}[] = [
  {
    entry: 'nameserver.ts',
    about: 'the public nameserver',
    loads: ['nameservers/', 'core/zones/', 'core/model/', 'http/metrics.ts', 'logger.ts', 'log-writer.ts'],
  },
  {
    entry: 'nameservers/responder/answer-thread.ts',
    about: 'its threads that answer queries',
    loads: ['nameservers/', 'core/connection-limits.ts'],
  },
  {
    entry: 'edge.ts',
    about: '`namehold edge`, which answers for forwarded domains',
    loads: [
      'edge/',
      'nameservers/',
      'core/certificates/',
      'core/forwarding/',
      'core/zones/',
      'core/connection-limits.ts',
      'core/errors.ts',
      'http/metrics.ts',
    ],
  },
  {
    entry: 'mx.ts',
    about: '`namehold mx`, which answers Postfix',
    loads: [
      'mx/',
      'nameservers/',
      'core/alarms/',
      'core/certificates/',
      'core/forwarding/',
      'core/mail-forwarding/',
      'core/tables/',
      'core/zones/',
      'http/metrics.ts',
    ],
  },
];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const server = 'packages/server/src/';

/** Imports of types load nothing. */
const loading =
  /^(?:import|export)\s+(?!type\b)[^'`;]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm;

/** The entry itself and every file of the server that it loads. */
function loadedFrom(entry: string): Set<string> {
  const loaded = new Set([entry]);
  for (const path of loaded) {
    const content = readFileSync(join(root, server, path), 'utf8');
    for (const [, ...targets] of content.matchAll(loading)) {
      const target = normalize(join(dirname(path), targets.find((each) => each !== undefined)!));
      if (!target.startsWith('.') && existsSync(join(root, server, target))) loaded.add(target);
    }
  }
  return loaded;
}

export function processProblems(): string[] {
  return processes.flatMap(({ entry, loads }) => {
    const loaded = [...loadedFrom(entry)].filter((path) => path !== entry);
    const isListed = (path: string) =>
      loads.some((each) => (each.endsWith('/') ? path.startsWith(each) : path === each));
    return [
      ...loaded
        .filter((path) => !isListed(path))
        .map((path) => `${entry} loads ${path}: it may load ${loads.join(', ')}`),
      ...loads
        .filter((each) => !loaded.some((path) => (each.endsWith('/') ? path.startsWith(each) : path === each)))
        .map((each) => `tools/processes.ts: ${entry} does not load ${each}; remove it`),
    ];
  });
}

/** The table of ARCHITECTURE.md. */
export function processesTable(): string {
  const rows = processes.map(({ entry, about, loads }) => {
    const listed = loads.map((each) => `\`${each}\``).join(', ');
    return `| \`${entry}\` | ${about} | ${listed} | ${loadedFrom(entry).size} |`;
  });
  return `| entry | process | may load | files |\n|---|---|---|---|\n${rows.join('\n')}`;
}
