export interface Layer {
  /** For ARCHITECTURE.md. */
  readonly about: string;
  /** Folders of core. A file at the top of core counts as a folder of its own and keeps its ending. */
  readonly folders: readonly string[];
}

/** The layers of core, from the bottom. A folder imports only folders before it: of lower layers, or to its left in its own layer. */
export const layers: readonly Layer[] = [
  { about: 'what core needs of the outside: interfaces that other modules implement', folders: ['ports'] },
  {
    about: 'errors, versions and pages of lists',
    folders: [
      'help.ts',
      'errors.ts',
      'page.ts',
      'page.sql.ts',
      'version.ts',
      'whole-seconds.ts',
      'deleted-reference.ts',
      'uses-public-network.ts',
      'connection-limits.ts',
    ],
  },
  { about: 'the types of rows and their states, without SQL', folders: ['model'] },
  { about: 'the context of every use case', folders: ['app-context.ts'] },
  { about: 'rules as data', folders: ['policy', 'reference'] },
  {
    about: 'what happened, and who must know',
    folders: ['audit', 'events', 'alarms', 'jobs', 'vault', 'retention', 'requests', 'refusals', 'notices'],
  },
  { about: 'registries and TLDs', folders: ['registries', 'tlds'] },
  { about: 'accounts and who belongs to them', folders: ['keys', 'accounts', 'users', 'customers', 'invitations'] },
  { about: 'prices and money', folders: ['ledger', 'pricing', 'invoices', 'quotes'] },
  { about: 'the engine', folders: ['operations', 'approvals'] },
  { about: 'contacts and domains', folders: ['contacts', 'registrant-change', 'verification', 'domains'] },
  {
    about: 'services for a domain',
    folders: ['payments', 'zones', 'nameservers', 'forwarding', 'mail-forwarding', 'certificates'],
  },
  {
    about: 'views of everything',
    folders: ['brands', 'search', 'sandbox', 'reconciliation', 'operator', 'series'],
  },
];

/** Imports between folders that are not yet in order: `from > to` and their number. The list only gets shorter. */
export const remaining: Readonly<Record<string, number>> = {
  'accounts > approvals': 2,
  'accounts > contacts': 2,
  'accounts > customers': 3,
  'accounts > operations': 3,
  'approvals > domains': 2,
  'audit > events': 1,
  'forwarding > certificates': 2,
  'contacts > domains': 5,
  'contacts > registrant-change': 6,
  'contacts > verification': 1,
  'customers > contacts': 1,
  'customers > ledger': 1,
  'domains > certificates': 2,
  'domains > forwarding': 3,
  'domains > mail-forwarding': 4,
  'domains > zones': 5,
  'events > notices': 1,
  'invoices > domains': 1,
  'keys > customers': 1,
  'nameservers > series': 2,
  'notices > accounts': 1,
  'notices > users': 1,
  'operations > domains': 1,
  'reconciliation > operator': 1,
  'registrant-change > domains': 5,
  'registrant-change > verification': 3,
  'registries > accounts': 1,
  'users > domains': 2,
  'verification > domains': 6,
  'verification > mail-forwarding': 1,
  'zones > forwarding': 5,
  'zones > mail-forwarding': 4,
  'zones > nameservers': 3,
};

/** Files of core that one file needs, itself and others, directly or not: its limit. */
export const reachLimits: Readonly<Record<string, number>> = { 'ledger/hold.ts': 60 };
