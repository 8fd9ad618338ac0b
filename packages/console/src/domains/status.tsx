import { Badge } from '../components/light.tsx';
import { statusText } from './format-status.ts';

const tones: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  Live: 'good',
  Expired: 'bad',
  Suspended: 'bad',
  'Pending Delete Restorable': 'bad',
  'Pending Delete': 'bad',
};

export function Status({ status }: { readonly status: string }) {
  return (
    <Badge tone={tones[status] ?? (status.startsWith('Pending') || status === 'Unpaid' ? 'warn' : 'plain')}>
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
