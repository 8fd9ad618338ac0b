import type { Shape } from '../api/shapes.ts';
import { Badge } from '../components/light.tsx';
import { messages } from './messages.ts';

const tones = { queued: 'plain', sent: 'good', failed: 'bad', bounced: 'bad' } as const;

export function NoticeState({ state }: { readonly state: Shape<'Notice'>['state'] }) {
  return <Badge tone={tones[state]}>{messages().states[state]}</Badge>;
}
