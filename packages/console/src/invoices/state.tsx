import type { Shape } from '../api/shapes.ts';
import { Badge } from '../parts/light.tsx';
import { words } from './words.ts';

const tones = { open: 'warn', paid: 'good', credited: 'plain', void: 'plain', draft: 'plain' } as const;

export function InvoiceState({ state }: { readonly state: Shape<'Invoice'>['state'] }) {
  return <Badge tone={tones[state]}>{words().states[state]}</Badge>;
}
