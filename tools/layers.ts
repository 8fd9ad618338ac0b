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
    about: 'errors, pages of lists, and reference data',
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
      'reference',
    ],
  },
  { about: 'the types of rows and their states, without SQL', folders: ['model'] },
  { about: 'the context of every use case, and its actors', folders: ['effects.ts', 'app-context.ts', 'actors.ts'] },
  { about: 'statements that several modules use, and rules as data', folders: ['tables', 'policy'] },
  {
    about: 'what happened, and who must know',
    folders: [
      'commit',
      'audit',
      'alarms',
      'refusals',
      'notices',
      'events',
      'delivery',
      'jobs',
      'vault',
      'retention',
      'requests',
    ],
  },
  { about: 'accounts and who belongs to them', folders: ['keys', 'accounts', 'users', 'invitations', 'brands'] },
  { about: 'registries and TLDs', folders: ['registries', 'tlds'] },
  { about: 'prices and money', folders: ['ledger', 'pricing', 'invoices', 'quotes', 'customers'] },
  { about: 'the engine', folders: ['operations', 'approvals'] },
  {
    about: 'contacts and domains',
    folders: ['links', 'registrant-change', 'domains', 'verification', 'contacts', 'payments'],
  },
  {
    about: 'services for a domain',
    folders: ['series', 'nameservers', 'zones', 'forwarding', 'mail-forwarding', 'certificates'],
  },
  {
    about: 'views of everything',
    folders: ['confirmation', 'timeline', 'search', 'sandbox', 'reconciliation', 'operator'],
  },
  { about: 'what connects all of them', folders: ['composition'] },
];

/** Files of core that one file needs, itself and others, directly or not: its limit. */
export const reachLimits: Readonly<Record<string, number>> = { 'ledger/hold.ts': 60 };
