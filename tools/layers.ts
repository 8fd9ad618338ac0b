interface Layer {
  readonly name: string;
  /** For ARCHITECTURE.md. */
  readonly about: string;
  /** Folders of core. A file at the top of core counts as a folder of its own and keeps its ending. */
  readonly folders: readonly string[];
}

/**
 * The layers of core, from the bottom. A folder imports only folders that stand before it: those of lower layers, and those to its left
 * in its own layer.
 */
export const layers: readonly Layer[] = [
  { name: 'ports', about: 'interfaces that other modules implement. They import nothing', folders: ['ports'] },
  {
    name: 'basics',
    about: 'errors, versions, pages of lists, and reference data',
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
      'console-address.ts',
      'reference',
    ],
  },
  { name: 'model', about: 'the types of rows, their states, and functions on them alone', folders: ['model'] },
  {
    name: 'context',
    about: 'what every use case gets: the context, the actor, the effects',
    folders: ['effects.ts', 'app-context.ts', 'actors.ts'],
  },
  { name: 'shared', about: 'statements that several modules use, and policy as data', folders: ['tables', 'policy'] },
  {
    name: 'records',
    about: 'what happened, who must know it, and the turns of background jobs',
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
  {
    name: 'accounts',
    about: 'resellers, users, and how they sign in',
    folders: ['keys', 'accounts', 'users', 'invitations', 'brands'],
  },
  { name: 'registries', about: 'connected registries and the TLDs that they serve', folders: ['registries', 'tlds'] },
  {
    name: 'money',
    about: 'balances, prices and documents, the customers who are billed, and accounts at upstreams',
    folders: ['ledger', 'pricing', 'invoices', 'quotes', 'customers', 'upstreams'],
  },
  { name: 'operations', about: 'the engine, and approvals before it runs', folders: ['operations', 'approvals'] },
  {
    name: 'domains',
    about: 'domains, their registrants and contacts, and payments of their orders',
    folders: ['links', 'registrant-change', 'domains', 'verification', 'contacts', 'payments'],
  },
  {
    name: 'services',
    about: 'what a domain can use: DNS, forwarding, certificates; time series',
    folders: ['series', 'nameservers', 'zones', 'forwarding', 'mail-forwarding', 'certificates'],
  },
  {
    name: 'overviews',
    about: 'reads and answers that concern several of these',
    folders: ['confirmation', 'timeline', 'search', 'sandbox', 'reconciliation', 'operator'],
  },
  { name: 'composition', about: 'tables that connect the modules', folders: ['composition'] },
];

/** Files of core that one file needs, itself and others, directly or not: its limit. */
export const reachLimits: Readonly<Record<string, number>> = { 'ledger/hold.ts': 60 };
