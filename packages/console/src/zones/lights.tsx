import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble } from '../api/trouble.ts';
import { Button } from '../parts/button.tsx';
import { Light, type LightKind } from '../parts/light.tsx';
import { toast } from '../parts/toast.tsx';
import { words } from './words.ts';

const kinds: Readonly<Record<string, LightKind>> = {
  published: 'good',
  behind: 'half',
  unreachable: 'bad',
  unknown: 'none',
};

/** One for each nameserver; asked again on demand. */
export function Lights({
  zone,
  onZone,
}: {
  readonly zone: Shape<'Zone'>;
  readonly onZone: (zone: Shape<'Zone'>) => void;
}) {
  const w = words();
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    try {
      onZone((await call('post', '/domains/{domain_id}/zone/check', { path: { domain_id: zone.domain_id } })).body);
    } catch (error) {
      toast(asTrouble(error).message);
    }
    setAsking(false);
  };
  return (
    <div class="zone-lights">
      <span class="faint">{w.lights}</span>
      {zone.publication.nameservers.map(({ name, state, lag_ms, serial, error }) => (
        <span key={name} title={error ?? (serial === null ? undefined : `${w.serial} ${serial}`)}>
          <Light kind={kinds[state] ?? 'none'}>
            {`${name}: ${w.light[state]}${state === 'behind' && lag_ms !== null ? ` ${w.lag(String(Math.round(lag_ms / 1_000)))}` : ''}`}
          </Light>
        </span>
      ))}
      <Button kind="quiet" small busy={isAsking} onClick={ask}>
        {w.askNow}
      </Button>
    </div>
  );
}
