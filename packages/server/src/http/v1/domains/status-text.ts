import type { ListStatus } from '../../../core/domains/list.sql.ts';
import type { Domain } from '../../../core/model/domain.ts';

/** The contract's values for the status of a domain. */
interface StatusText {
  readonly order_status: string;
  readonly order_status_id: string;
  readonly status: string;
}

const text = (order_status: string, order_status_id: string, status: string): StatusText => ({
  order_status,
  order_status_id,
  status,
});

const byState: Record<Exclude<Domain['state'], 'live' | 'removed'>, StatusText> = {
  pending: text('Pending', '2', 'pending'),
  redemption: text('Pending Delete Restorable', '4', 'Pending Delete Restorable'),
  pending_restore: text('Pending Restore', '5', 'Pending Restore'),
  pending_delete: text('Pending Delete', '6', 'Pending Delete'),
  pending_transfer: text('Pending Transfer', '7', 'Pending Transfer'),
  unpaid: text('Unpaid', '12', 'unpaid'),
};

const byReason: Record<NonNullable<Domain['removed_reason']>, StatusText> = {
  refused: text('Cancelled', '8', 'cancelled'),
  cancelled: text('Cancelled', '8', 'cancelled'),
  deleted: text('Deleted', '9', 'cancelled'),
  dropped: text('Deleted', '9', 'cancelled'),
  transferred_away: text('Transferred Away', '10', 'cancelled'),
  moved: text('Moved', '11', 'cancelled'),
};

type Shown = Pick<Domain, 'state' | 'removed_reason' | 'suspended' | 'registry_status' | 'end_date' | 'transfer'>;

/** RFC 5731 2.3: with either status the domain is not in the DNS, even if the registry set it. */
const isOnHold = ({ suspended, registry_status }: Pick<Domain, 'suspended' | 'registry_status'>): boolean =>
  suspended || registry_status.some((status) => status === 'clientHold' || status === 'serverHold');

/** order_status follows the life cycle of the domain; status also shows a suspension or another hold. */
export function statusText(domain: Shown, now: Date): StatusText {
  if (domain.state === 'removed') return byReason[domain.removed_reason ?? 'deleted'];
  // Ordered, or in transfer from another registrar.
  if (domain.state === 'pending' && domain.transfer) return byState.pending_transfer;
  if (domain.state !== 'live') return byState[domain.state];
  // End of the paid term. The year that a registry adds automatically does not count.
  if (domain.end_date && domain.end_date <= now) return text('Expired', '3', 'expired');
  return text('Live', '1', isOnHold(domain) ? 'suspended' : 'active');
}

/** The values of `order_status` as a filter, and `Suspended`, which is a filter only. */
export const listStatuses = {
  Live: 'in_force',
  Unpaid: 'unpaid',
  Pending: 'pending',
  Expired: 'expired',
  'Pending Delete Restorable': 'redemption',
  'Pending Transfer': 'pending_transfer',
  'Pending Restore': 'pending_restore',
  'Pending Delete': 'pending_delete',
  Suspended: 'suspended',
  Cancelled: 'given_up',
  Deleted: 'gone',
  'Transferred Away': 'transferred_away',
  Moved: 'moved',
} as const satisfies Record<string, ListStatus>;

export const statusFilters = Object.keys(listStatuses) as [keyof typeof listStatuses, ...(keyof typeof listStatuses)[]];
