import { reasonsAgainst } from '../../packages/server/src/core/domains/allowed/allowed.ts';
import { actions } from '../../packages/server/src/core/domains/allowed/reason.ts';
import { lifePolicy } from '../../packages/server/src/core/domains/lifecycle.ts';
import type { DomainState, RemovedReason } from '../../packages/server/src/core/model/domain.ts';
import { usualExpiryRule } from '../../packages/server/src/core/policy/expiry-rule.ts';

/** One line of the table of states: what the registry shows, and what a reader of this service sees. */
export interface StateRow {
  readonly when: string;
  /** Null: the domain does not exist at the registry. */
  readonly registry: {
    readonly ours: boolean;
    readonly statuses: readonly string[];
    readonly rgp: readonly string[];
  } | null;
  /** Whether the paid term is over, and the expiry at the registry. */
  readonly term: 'running' | 'over';
  readonly registryDate: 'same' | 'a year ahead' | 'none';
  /** The state before the row applies. */
  readonly before: DomainState;
  /** A transfer from another registrar. */
  readonly comes?: true;
  readonly flags?: { readonly locked?: boolean; readonly suspended?: boolean; readonly theft_protection?: boolean };
  readonly state: DomainState;
  readonly removed_reason: RemovedReason | null;
  readonly order_status: string;
  readonly status: string;
  readonly dates: readonly ('grace_ends_at' | 'redemption_ends_at')[];
  readonly panel: 'active' | 'pending' | 'expired' | 'cancelled' | 'transferred away';
  /** Text that the list of actions does not contain. */
  readonly note?: string;
}

const at = (statuses: readonly string[], rgp: readonly string[] = []) => ({ ours: true, statuses, rgp });
const running = { term: 'running', registryDate: 'same', before: 'live', removed_reason: null, dates: [] } as const;
const live = { ...running, state: 'live', order_status: 'Live', status: 'active', panel: 'active' } as const;

/** The table as data. The documentation page is generated from it, and a test checks each row. */
export const stateRows: readonly StateRow[] = [
  {
    ...live,
    when: 'registration ordered; the registry has not responded, or reviews it',
    registry: at(['pendingCreate']),
    before: 'pending',
    state: 'pending',
    order_status: 'Pending',
    status: 'pending',
    panel: 'pending',
    note: 'wait, or cancel the order before it is sent to the registry',
  },
  {
    ...live,
    when: 'ordered; the order waits to be paid or executed',
    registry: null,
    term: 'running',
    registryDate: 'none',
    before: 'unpaid',
    state: 'unpaid',
    order_status: 'Unpaid',
    status: 'unpaid',
    panel: 'pending',
    note: 'pay, execute or cancel the order; the domain is not reserved',
  },
  {
    ...live,
    when: 'transfer in ordered; the current registrar has not decided',
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
    when: 'within the add grace period',
    registry: at(['ok'], ['addPeriod']),
    note: 'a deletion refunds the registration',
  },
  {
    ...live,
    when: 'within the grace period of a renewal',
    registry: at(['ok'], ['renewPeriod']),
    note: 'a deletion refunds the renewal',
  },
  {
    ...live,
    when: 'within the grace period of a transfer in',
    registry: at(['ok'], ['transferPeriod']),
    note: 'a deletion refunds the transfer',
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
    note: 'the domain does not resolve; changes at the registry and of DNS records are refused until the suspension is removed',
  },
  {
    ...live,
    when: 'on hold by the registry',
    registry: at(['serverHold']),
    status: 'suspended',
    note: 'the domain does not resolve',
  },
  {
    ...live,
    when: 'expired, renewed by the registry, in the auto-renew grace period',
    registry: at(['ok'], ['autoRenewPeriod']),
    term: 'over',
    registryDate: 'a year ahead',
    order_status: 'Expired',
    status: 'expired',
    dates: ['grace_ends_at'],
    panel: 'expired',
    note: 'renew until `renew_by` (the registry adds no second year); then the domain is deleted',
  },
  {
    ...live,
    when: 'expired at a registry that does not renew automatically',
    registry: at(['serverHold']),
    term: 'over',
    order_status: 'Expired',
    status: 'expired',
    dates: ['grace_ends_at'],
    panel: 'expired',
    note: 'renew until `grace_ends_at`',
  },
  {
    ...live,
    when: 'deleted, can be restored',
    registry: at(['pendingDelete'], ['redemptionPeriod']),
    state: 'redemption',
    order_status: 'Pending Delete Restorable',
    status: 'Pending Delete Restorable',
    dates: ['redemption_ends_at'],
    panel: 'cancelled',
    note: 'restore until `redemption_ends_at`',
  },
  {
    ...live,
    when: 'restore requested, report not received yet',
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
    when: 'redemption is over, will be dropped',
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
    when: 'another registrar requested a transfer',
    registry: at(['pendingTransfer']),
    state: 'pending_transfer',
    order_status: 'Pending Transfer',
    status: 'Pending Transfer',
    panel: 'pending',
    note: 'approve, reject, or wait for the end of the transfer',
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

/** By the same rules that the calls and the timeline use. */
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

/** The generated part of docs/guide/domain-states.md. */
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

const deletionSections = `## Refunds after a deletion

The date of the deletion at the registry decides, not the date of the order or of its confirmation.

| deletion within | refund |
|---|---|
| the add grace period | the registration; the domain is removed at once |
| the grace period of a renewal or transfer (\`renewPeriod\`, \`transferPeriod\`) | that renewal or transfer |
| the auto-renew grace period (\`autoRenewPeriod\`) | the year that was paid in this period |
| no grace period | nothing |

The grace periods of renewals and transfers start with the action at the registry. If it cannot be determined whether a
grace period was open, nothing is refunded and the operator gets an alarm.

## If a registry reports that a domain does not exist

One response is not enough to remove a live domain. The domain keeps its state, the operator gets an alarm, and the
registry is queried again after at least ${lifePolicy.missingAgainMs / 60_000} minutes. The second response decides, or a message of the registry with
the same content.

A domain whose redemption is over, or with a pending transfer, needs no second response. If a domain disappeared without
a reason, the service queries it once a day for ${lifePolicy.searchMissingDays} days. If the registry shows the same domain again, it becomes
live again with \`domain.found_again\`.
`;

/** The whole of docs/guide/domain-states.md. A test compares the file with it. */
export function statesPage(): string {
  return `# Domain states

This page lists all states of a domain, its dates, and what a deletion refunds. It is generated from
\`tools/pages/domain-states.ts\`, and a test runs every row. For a control panel with five states,
see [panel integration](panel-integration.md).

## Fields

| field | meaning |
|---|---|
| \`order_status\` | the life cycle of the domain |
| \`status\` | the same, and also whether a live domain is suspended |
| \`locked\`, \`suspended\`, \`theft_protection\`, privacy | four separate settings |
| \`registry_status\` | the statuses at the registry |

Column "panel" is for control panels that know only five states. Column "possible" lists the actions that are not
refused. The same rule decides the calls and the \`blocks\` of the timeline.

## States

${statesTable()}

## Dates

| date | meaning |
|---|---|
| \`end_date\`, \`expiry_date\` | end of the paid term |
| \`registry_expires_at\` | expiry date at the registry; in the auto-renew grace period it is a year ahead |
| \`renew_by\` | last moment to renew at the usual price |
| \`grace_ends_at\` | end of the auto-renew grace period, or of the days for which a registry holds an expired domain |
| \`redemption_ends_at\` | last moment to restore |
| \`synced_at\` | when the registry was last queried |

- Some upstreams accept a renewal only until some days before the end of the term. Then \`renew_by\` is before \`end_date\`, and automatic renewals and
  reminders follow it.
- If the registry renews automatically, \`renew_by\` is ${lifePolicy.deleteBeforeGraceEndDays} days before the end of the grace period. The domain is then
  deleted, so that the registry does not charge the year.
- A domain of a generic TLD does not resolve for the last ${usualExpiryRule.interruptionDays} days before that (\`clientHold\`, \`domain.interrupted\`). A
  renewal ends this at once. The timeline has the date (\`interrupted\`).
- If an outage of the service or the registry lasted until the end of the grace period, the year is charged. The domain
  is kept for ${lifePolicy.overdueDays} days after this is detected (\`domain.overdue\`, a new \`renew_by\`), then deleted. A renewal pays for
  the year that the registry has added. Until then no auth code is given out, and no transfer to another registrar
  is approved.
- Registries show no date for \`redemption_ends_at\` (RFC 3915). It is calculated from the deletion and the rules of the
  TLD. The date of the deletion is that of the registry, if it shows one.

The events of the life cycle are \`domain.expiring\` (${usualExpiryRule.noticeDays.filter((days) => days > 0).join(' and ')} days before), \`domain.expired\`, \`domain.interrupted\`,
\`domain.deleted\`, \`domain.redemption\`, \`domain.pending_delete\`, \`domain.dropped\` and \`domain.transferred_away\`.
\`GET /v1/domains/{domain_id}/timeline\` shows the future dates of a domain.

${deletionSections}`;
}
