import type { Schema } from '../api/shapes.ts';
import { Badge } from '../components/status-icon.tsx';
import { messages } from './messages.ts';

const tones = { open: 'warn', paid: 'good', credited: 'plain', void: 'plain', draft: 'plain' } as const;

export function InvoiceState({ state }: { readonly state: Schema<'Invoice'>['state'] }) {
  return <Badge tone={tones[state]}>{messages().states[state]}</Badge>;
}
