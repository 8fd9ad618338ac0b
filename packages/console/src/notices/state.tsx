import type { Shape } from '../api/shapes.ts';
import { Badge } from '../parts/light.tsx';
import { words } from './words.ts';

const tones = { queued: 'plain', sent: 'good', failed: 'bad', bounced: 'bad' } as const;

export function NoticeState({ state }: { readonly state: Shape<'Notice'>['state'] }) {
  return <Badge tone={tones[state]}>{words().states[state]}</Badge>;
}
