import { reasonsAgainst } from '../../../core/domains/allowed/allowed.ts';
import { actions } from '../../../core/domains/allowed/reason.ts';
import type { DomainState, RemovedReason } from '../../../core/domains/domain.ts';
import { lifePolicy } from '../../../core/domains/lifecycle.ts';
import { usualExpiryRule } from '../../../core/policy/expiry-rule.ts';

/** One line of the table of states: what the registry shows, and what a reader of ours sees. */
export interface StateRow {
  readonly when: string;
  /** Null: the registry does not know the name. */
  readonly registry: {
    readonly ours: boolean;
    readonly statuses: readonly string[];
    readonly rgp: readonly string[];
  } | null;
  /** Whether the term that was paid for is over, and where the registry's own date stands. */
  readonly term: 'running' | 'over';
  readonly registryDate: 'same' | 'a year ahead' | 'none';
  /** What we had it as before. */
  readonly before: DomainState;
  /** It comes from another registrar. */
  readonly comes?: true;
  readonly flags?: { readonly locked?: boolean; readonly suspended?: boolean; readonly theft_protection?: boolean };
  readonly state: DomainState;
  readonly removed_reason: RemovedReason | null;
  readonly order_status: string;
  readonly status: string;
  readonly dates: readonly ('grace_ends_at' | 'redemption_ends_at')[];
  readonly panel: 'active' | 'pending' | 'expired' | 'cancelled' | 'transferred away';
  /** What the list of actions does not say. */
  readonly note?: string;
}

const at = (statuses: readonly string[], rgp: readonly string[] = []) => ({ ours: true, statuses, rgp });
const running = { term: 'running', registryDate: 'same', before: 'live', removed_reason: null, dates: [] } as const;
const live = { ...running, state: 'live', order_status: 'Live', status: 'active', panel: 'active' } as const;

/** The table itself, as data: the documentation page is made from it and a test walks it. */
export const stateRows: readonly StateRow[] = [
  {
    ...live,
    when: 'registration ordered; the registry has not answered or reviews it',
    registry: at(['pendingCreate']),
    before: 'pending',
    state: 'pending',
    order_status: 'Pending',
    status: 'pending',
    panel: 'pending',
    note: 'wait, or cancel the order while nothing has left',
  },
  {
    ...live,
    when: 'ordered, and the order waits to be paid or executed',
    registry: null,
    term: 'running',
    registryDate: 'none',
    before: 'unpaid',
    state: 'unpaid',
    order_status: 'Unpaid',
    status: 'unpaid',
    panel: 'pending',
    note: 'pay, execute or cancel the order; nobody holds the name meanwhile',
  },
  {
    ...live,
    when: 'transfer in ordered; its present registrar has not decided',
    registry: { ours: false, statuses: ['pendingTransfer'], rgp: [] },
    before: 'pending',
    comes: true,
    state: 'pending',
    order_status: 'Pending Transfer',
    status: 'Pending Transfer',
    panel: 'pending',
    note: 'wait, or cancel the transfer; `transfer` has the dates',
  },
  { ...live, when: 'registered', registry: at(['ok']) },
  {
    ...live,
    when: 'within the add grace',
    registry: at(['ok'], ['addPeriod']),
    note: 'a delete gives the registration back',
  },
  {
    ...live,
    when: 'within the grace of a renewal',
    registry: at(['ok'], ['renewPeriod']),
    note: 'a delete gives the renewal back',
  },
  {
    ...live,
    when: 'within the grace of a transfer in',
    registry: at(['ok'], ['transferPeriod']),
    note: 'a delete gives the transfer back',
  },
  { ...live, when: 'no nameservers', registry: at(['inactive']) },
  {
    ...live,
    when: 'theft protection on',
    registry: at(['clientTransferProhibited']),
    flags: { theft_protection: true },
  },
  {
    ...live,
    when: 'locked',
    registry: at(['clientTransferProhibited', 'clientUpdateProhibited', 'clientDeleteProhibited']),
    flags: { locked: true },
    note: 'every change is refused until the lock is removed',
  },
  {
    ...live,
    when: 'suspended',
    registry: at(['clientHold']),
    flags: { suspended: true },
    status: 'suspended',
    note: 'DNS records too; a change at the registry is refused until the suspension is lifted. The name does not resolve',
  },
  {
    ...live,
    when: 'on hold by the registry',
    registry: at(['serverHold']),
    note: 'the name does not resolve',
  },
  {
    ...live,
    when: 'term over, renewed by the registry, in the auto-renew grace',
    registry: at(['ok'], ['autoRenewPeriod']),
    term: 'over',
    registryDate: 'a year ahead',
    order_status: 'Expired',
    status: 'expired',
    dates: ['grace_ends_at'],
    panel: 'expired',
    note: 'renew until renew_by (no second year is added at the registry); then it is deleted',
  },
  {
    ...live,
    when: 'term over at a registry that renews nothing',
    registry: at(['serverHold']),
    term: 'over',
    order_status: 'Expired',
    status: 'expired',
    dates: ['grace_ends_at'],
    panel: 'expired',
    note: 'renew until grace_ends_at',
  },
  {
    ...live,
    when: 'deleted, to be had back',
    registry: at(['pendingDelete'], ['redemptionPeriod']),
    state: 'redemption',
    order_status: 'Pending Delete Restorable',
    status: 'Pending Delete Restorable',
    dates: ['redemption_ends_at'],
    panel: 'cancelled',
    note: 'until redemption_ends_at',
  },
  {
    ...live,
    when: 'restore asked for, report awaited',
    registry: at(['pendingDelete'], ['pendingRestore']),
    before: 'redemption',
    state: 'pending_restore',
    order_status: 'Pending Restore',
    status: 'Pending Restore',
    dates: ['redemption_ends_at'],
    panel: 'pending',
    note: 'the report is sent with the restore',
  },
  {
    ...live,
    when: 'redemption over, about to be dropped',
    registry: at(['pendingDelete'], ['pendingDelete']),
    before: 'redemption',
    state: 'pending_delete',
    order_status: 'Pending Delete',
    status: 'Pending Delete',
    dates: ['redemption_ends_at'],
    panel: 'cancelled',
  },
  {
    ...live,
    when: 'another registrar asked for it',
    registry: at(['pendingTransfer']),
    state: 'pending_transfer',
    order_status: 'Pending Transfer',
    status: 'Pending Transfer',
    panel: 'pending',
    note: 'wait for the transfer to end',
  },
  {
    ...live,
    when: 'sponsored by another registrar',
    registry: { ours: false, statuses: ['ok'], rgp: [] },
    state: 'removed',
    removed_reason: 'transferred_away',
    order_status: 'Transferred Away',
    status: 'cancelled',
    panel: 'transferred away',
    note: 'read the tombstone',
  },
  {
    ...live,
    when: 'unknown to the registry',
    registry: null,
    registryDate: 'none',
    before: 'pending_delete',
    state: 'removed',
    removed_reason: 'dropped',
    order_status: 'Deleted',
    status: 'cancelled',
    panel: 'cancelled',
    note: 'read the tombstone; register it again',
  },
];

/** By the same rule that the calls and the timeline ask. */
function possibleIn(row: StateRow): string[] {
  const flags = { locked: false, suspended: false, theft_protection: false, ...row.flags };
  const subject = {
    ...flags,
    id: '',
    reseller_id: '',
    state: row.state,
    locked_reason: null,
    suspended_reason: null,
    suspended_open: false,
    registry_hold: null,
    registry_status: [...(row.registry?.statuses ?? [])],
    end_date: null,
    registry_expires_at: null,
    grace_ends_at: null,
    kept_until: null,
  };
  return actions.filter((action) => reasonsAgainst(subject, action).length === 0);
}

/** The part of docs/guide/domain-states.md that is data. */
function statesTable(): string {
  const head =
    '| when | registry statuses | grace (RGP) | state | order_status | status | flags | dates | panel | possible | note |';
  const code = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(' ') || '-';
  const rows = stateRows.map((row) => {
    const flags = Object.keys(row.flags ?? {});
    const state = row.removed_reason ? `removed, ${row.removed_reason}` : row.state;
    const registry = row.registry === null ? ['2303'] : row.registry.statuses;
    return `| ${[row.when, code(registry), code(row.registry?.rgp ?? []), state, row.order_status, row.status, code(flags), code(row.dates), row.panel, code(possibleIn(row)), row.note ?? '-'].join(' | ')} |`;
  });
  return [head, '|---|---|---|---|---|---|---|---|---|---|---|', ...rows].join('\n');
}

/** docs/guide/domain-states.md, whole; a test holds the file against it. */
export function statesPage(): string {
  return `# Where a domain stands

Made from \`packages/server/src/http/v1/domains/states-table.ts\`; a test walks the table and holds this page against it.

\`order_status\` follows the life of a name. \`status\` says the same and also when a living name is suspended. \`locked\`,
\`suspended\`, \`theft_protection\` and privacy are four separate things that stand beside them. \`registry_status\` shows the
registry's own words. A panel that knows only five states takes the column "panel". "possible" lists what is not refused: the same rule decides
the calls and the \`blocks\` of the timeline.

${statesTable()}

## Dates

- \`end_date\` (also \`expiry_date\`) is what has been paid for. \`registry_expires_at\` is the registry's own date, which runs a year ahead
  in the auto-renew grace.
- \`renew_by\` is the last moment to renew at the usual price. Where the registry renews by itself it lies ${lifePolicy.deleteBeforeGraceEndDays} days before the grace
  ends: then the name is deleted, so that no year is bought that nobody asked for.
- For the last ${usualExpiryRule.interruptionDays} days before that a name of a generic TLD does not resolve (\`clientHold\`, \`domain.interrupted\`); a renewal ends it at once. The timeline has the date (\`interrupted\`).
- Where the platform or the registry was away until the grace was over, the year is lost, and nothing is saved by haste: the name is kept for ${lifePolicy.overdueDays} days after that was seen (\`domain.overdue\`, a new \`renew_by\`), then it is deleted. A renewal pays the year that the registry has added; until then no transfer code is given out, and no transfer away approved.
- \`grace_ends_at\`: end of the auto-renew grace, or of the days for which a registry holds an expired name.
- \`redemption_ends_at\`: the last moment to restore. Registries show no such date (RFC 3915): it is reckoned from the delete (the registry's date of it, where it shows one) and the rules of the TLD.
- \`synced_at\`: when the registry was last asked.

Events on the way: \`domain.expiring\` (${usualExpiryRule.noticeDays.filter((days) => days > 0).join(' and ')} days before), \`domain.expired\`, \`domain.interrupted\`, \`domain.deleted\`, \`domain.redemption\`, \`domain.pending_delete\`,
\`domain.dropped\`, \`domain.transferred_away\`. The dated future of one name: \`GET /v1/domains/{domain_id}/timeline\`.

## What a delete gives back

What counts is when the registry acted, by its own dates, not when the delete was asked for or heard of. A name that is deleted inside its
add grace is gone at once, and the registration comes back. Outside of it a renewal or a transfer in comes back while its own grace (\`renewPeriod\`, \`transferPeriod\`, counted
from the registry's act) is open, and the year that was paid for in the auto-renew grace while \`autoRenewPeriod\` is. Outside of them
nothing comes back. Where it cannot be found out whether a grace was still open, nothing is given back and the operator is told.

## When a registry says that a name is gone

One answer buries no living name. It stays as it is, the operator is told, and the registry is asked again ${lifePolicy.missingAgainMs / 60_000} minutes later or more; the second
answer counts, or a message of the registry that says the same. A name that was on its way out (its redemption is over, or a transfer was
under way) needs no second answer. One that went without a reason is looked for once a day for ${lifePolicy.lookForLostDays} days, and comes back with
\`domain.found_again\` if the registry shows the very same name again.
`;
}
