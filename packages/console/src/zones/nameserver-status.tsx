import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { StatusIcon, type StatusIconKind } from '../components/status-icon.tsx';
import { toastError } from '../components/toast.tsx';
import { messages } from './messages.ts';

const kinds: Readonly<Record<string, StatusIconKind>> = {
  published: 'good',
  behind: 'warning',
  unreachable: 'bad',
  unknown: 'none',
};

/** The status of each nameserver, with a button to check again. */
export function NameserverStatus({
  zone,
  onZone,
}: {
  readonly zone: Schema<'Zone'>;
  readonly onZone: (zone: Schema<'Zone'>) => void;
}) {
  const t = messages();
  const [isFetching, setFetching] = useState(false);
  const check = async () => {
    setFetching(true);
    try {
      onZone((await call('post', '/domains/{domain_id}/zone/check', { path: { domain_id: zone.domain_id } })).body);
    } catch (error) {
      toastError(error);
    }
    setFetching(false);
  };
  return (
    <div class="zone-lights">
      <span class="faint">{t.nameservers}</span>
      {zone.publication.nameservers.map(({ name, state, lag_ms, serial, error }) => (
        <span key={name} title={error ?? (serial === null ? undefined : `${t.serial} ${serial}`)}>
          <StatusIcon kind={kinds[state] ?? 'none'}>
            {`${name === 'embedded' ? t.builtInNameserver : name}: ${t.nameserverStates[state]}${state === 'behind' && lag_ms !== null ? ` ${t.lag(String(Math.round(lag_ms / 1_000)))}` : ''}`}
          </StatusIcon>
        </span>
      ))}
      <Button kind="quiet" small busy={isFetching} onClick={check}>
        {t.checkNow}
      </Button>
    </div>
  );
}
