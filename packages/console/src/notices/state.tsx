import type { Schema } from '../api/shapes.ts';
import { Badge } from '../components/status-icon.tsx';
import { messages } from './messages.ts';

const tones = { queued: 'plain', sent: 'good', failed: 'bad', bounced: 'bad' } as const;

export function NoticeState({ state }: { readonly state: Schema<'Notice'>['state'] }) {
  return <Badge tone={tones[state]}>{messages().states[state]}</Badge>;
}

/** The name and the address of a recipient; the address alone if the recipient has no other name. */
export const recipientText = ({ recipient, address }: Pick<Schema<'Notice'>, 'recipient' | 'address'>): string =>
  recipient === address ? address : `${recipient} <${address}>`;
