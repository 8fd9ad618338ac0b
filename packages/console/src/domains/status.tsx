import type { Schema } from '../api/shapes.ts';
import { Badge } from '../components/status-icon.tsx';
import { statusText } from './format-status.ts';

const tones: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  Live: 'good',
  Expired: 'bad',
  Suspended: 'bad',
  'Pending Delete Restorable': 'bad',
  'Pending Delete': 'bad',
};

type Shown = Pick<Schema<'Domain'>, 'order_status' | 'suspended' | 'state'>;

/** A suspended domain does not resolve although its term runs. A transfer is in or out. */
const statusOf = ({ order_status, suspended, state }: Shown): string => {
  if (order_status === 'Live' && suspended) return 'Suspended';
  if (order_status === 'Pending Transfer') return state === 'pending_transfer' ? 'Transfer Out' : 'Transfer In';
  return order_status;
};

export function Status({ of }: { readonly of: Shown }) {
  const status = statusOf(of);
  return (
    <Badge tone={tones[status] ?? (/^(Pending|Transfer )|Unpaid/.test(status) ? 'warn' : 'plain')}>
      {statusText(status)}
    </Badge>
  );
}

export const statuses = [
  'Live',
  'Unpaid',
  'Pending',
  'Expired',
  'Pending Delete Restorable',
  'Pending Transfer',
  'Pending Restore',
  'Pending Delete',
  'Suspended',
  'Cancelled',
  'Deleted',
  'Transferred Away',
  'Moved',
] as const;
