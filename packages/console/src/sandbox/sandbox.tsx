import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { ResponseBody } from '../api/shapes.ts';
import { businessNow } from '../data/clock.ts';
import { usePageUrl } from '../data/page-url.ts';
import { invalidate, useResource } from '../data/resource.ts';
import '../domains/domains.css';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { registrarText } from '../domains/registrar-text.ts';
import { may } from '../session/current-session.ts';
import { canMove, isMoving, moveClock, pushClock, steps } from './clock.ts';
import { faultKinds, faultMessages } from './faults.ts';
import './sandbox.css';
import { messages } from './messages.ts';

function Clock() {
  const t = messages();
  const [by, setBy] = useState('');
  const [error, setError] = useState<ApiError>();
  const move = async (how: string) => setError(await moveClock(how));
  return (
    <Card title={t.clock}>
      <p class="clock-face">
        <Moment at={businessNow()} withTime isBusiness />
      </p>
      <p class="faint">{t.clockText}</p>
      {canMove() && (
        <Form onSubmit={() => void move(by.trim())} error={error} labels={{ move: t.by }}>
          <div class="row">
            {steps.map((each) => (
              <Button
                key={each}
                disabled={isMoving.value}
                aria-label={t.moveBy(each)}
                onClick={() => void pushClock(each)}
              >
                {each}
              </Button>
            ))}
          </div>
          <TextField name="move" label={t.by} hint={t.byHint} value={by} onText={setBy} />
          <div class="actions">
            <Button type="submit" busy={isMoving.value} disabled={by.trim() === ''}>
              {t.move}
            </Button>
          </div>
        </Form>
      )}
    </Card>
  );
}

type Fault = ResponseBody<'/sandbox', 'get'>['faults'][number];
type Kind = (typeof faultKinds)[number];
const shares = ['1', '0.5', '0.1'] as const;

function FaultCard({
  kind,
  on,
  onToggle,
}: {
  readonly kind: Kind;
  readonly on?: Fault;
  readonly onToggle: () => void;
}) {
  const t = messages();
  const { title, breaks, expect } = faultMessages().faults[kind];
  return (
    <li class={`fault${on ? ' on' : ''}`}>
      <h3>
        {title}
        {on && <Badge tone="warn">{on.struck ? t.occurrences(Number(on.struck)) : t.on}</Badge>}
      </h3>
      <p>
        <strong>{t.fault}.</strong> {breaks}
      </p>
      <p>
        <strong>{t.expect}.</strong> {expect}
      </p>
      {on && (
        <p>
          <a href="/app/operations">{t.viewOperations}</a> · <a href="/app/money">{t.viewBalance}</a>
        </p>
      )}
      {may('domains:write') && (
        <Button small aria-label={`${on ? t.allOff : t.turnOn}: ${title}`} onClick={onToggle}>
          {on ? t.allOff : t.turnOn}
        </Button>
      )}
    </li>
  );
}

function Faults() {
  const t = messages();
  const sandbox = useResource('/sandbox', {}, { everyMs: 5_000 });
  const [refused, setRefused] = useState<ApiError>();
  const [rate, setRate] = useState<string>('1');
  const [limit, setLimit] = useState('');
  const toggle = async (kind: Kind, isOn: boolean) => {
    const how = { rate, ...(limit.trim() ? { limit: Number(limit) } : {}), ...(kind === 'delay' ? { ms: 5_000 } : {}) };
    try {
      if (isOn) await call('delete', '/sandbox/faults', {});
      else await call('put', '/sandbox/faults', { body: { kind, ...how } });
      setRefused(undefined);
      await invalidate('/sandbox');
    } catch (cause) {
      setRefused(asApiError(cause));
    }
  };
  const set = sandbox.data?.faults ?? [];
  const others = set.filter(({ kind }) => !faultKinds.some((each) => each === kind));
  return (
    <Card title={t.faults}>
      <p class="faint">{t.faultsText}</p>
      {may('domains:write') && (
        <Form onSubmit={() => undefined} error={refused} labels={{ limit: t.limit, rate: t.rate }}>
          <div class="fault-fields">
            <SelectField
              name="rate"
              label={t.rate}
              value={rate}
              onChoice={setRate}
              choices={shares.map((share) => ({ value: share, label: t.shares[share] }))}
            />
            <TextField
              name="limit"
              label={t.limit}
              hint={t.limitHint}
              inputMode="numeric"
              value={limit}
              onText={setLimit}
            />
          </div>
        </Form>
      )}
      {sandbox.error && <ErrorBanner error={sandbox.error} onRetry={sandbox.refetch} />}
      {!sandbox.data && !sandbox.error && <Skeleton />}
      {others.length > 0 && (
        <p>
          {t.other}: {others.map(({ kind }) => kind).join(', ')}
        </p>
      )}
      <ul class="faults">
        {faultKinds.map((kind) => {
          const on = set.find((each) => each.kind === kind);
          return <FaultCard key={kind} kind={kind} on={on} onToggle={() => void toggle(kind, Boolean(on))} />;
        })}
      </ul>
    </Card>
  );
}

function RegistryView() {
  const t = messages();
  const { query, go } = usePageUrl();
  const [name, setName] = useState(query.name ?? '');
  const domainName = query.name ?? '';
  const found = useResource('/sandbox/domains/{name}', domainName === '' ? undefined : { path: { name: domainName } });
  const registryData = found.data;
  const facts = Object.keys(t.facts) as (keyof typeof t.facts)[];
  return (
    <Card title={t.view}>
      <p class="faint">{t.viewText}</p>
      <Form onSubmit={() => go({ name: name.trim().toLowerCase() })} error={undefined} labels={{ name: t.name }}>
        <TextField name="name" label={t.name} value={name} onText={setName} />
        <div class="actions">
          <Button type="submit">{t.searchRegistry}</Button>
        </div>
      </Form>
      {found.error && <ErrorBanner error={found.error} onRetry={found.refetch} />}
      {registryData && (
        <dl class="facts">
          {facts.map((fact) => {
            const value = registryData[fact];
            const joined = Array.isArray(value) ? value.join(', ') : value;
            const text = fact === 'sponsor' && typeof joined === 'string' ? registrarText(joined) : joined;
            return (
              <div key={fact}>
                <dt>{t.facts[fact]}</dt>
                <dd>{fact.endsWith('_at') ? <Moment at={String(text)} withTime isBusiness /> : text || '–'}</dd>
              </div>
            );
          })}
        </dl>
      )}
    </Card>
  );
}

export default function Sandbox() {
  const t = messages();
  return (
    <>
      <PageHead title={t.clockAndFaults} lead={t.lead} actions={<CopyCurl method="get" address="/v1/sandbox" />} />
      <div class="columns">
        <Clock />
        <RegistryView />
      </div>
      <Faults />
    </>
  );
}
