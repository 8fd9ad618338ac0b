import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { useAddress } from '../data/address.ts';
import { businessNow } from '../data/clock.ts';
import { changed, useResource } from '../data/resource.ts';
import '../domains/domains.css';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Waiting } from '../parts/empty.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Badge } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { canMove, isMoving, moveClock, pushClock, steps } from './clock.ts';
import { faultKinds, faultWords } from './faults.ts';
import './sandbox.css';
import { words } from './words.ts';

function Clock() {
  const w = words();
  const [by, setBy] = useState('');
  const [trouble, setTrouble] = useState<Trouble>();
  const move = async (how: string) => setTrouble(await moveClock(how));
  return (
    <Card title={w.clock}>
      <p class="clock-face">
        <Moment at={businessNow()} withTime isBusiness />
      </p>
      <p class="faint">{w.clockText}</p>
      {canMove() && (
        <Form onSubmit={() => void move(by.trim())} trouble={trouble} labels={{ move: w.by }}>
          <div class="row">
            {steps.map((each) => (
              <Button
                key={each}
                disabled={isMoving.value}
                aria-label={w.moveBy(each)}
                onClick={() => void pushClock(each)}
              >
                {each}
              </Button>
            ))}
          </div>
          <TextField name="move" label={w.by} hint={w.byHint} value={by} onText={setBy} />
          <div class="actions">
            <Button type="submit" busy={isMoving.value} disabled={by.trim() === ''}>
              {w.move}
            </Button>
          </div>
        </Form>
      )}
    </Card>
  );
}

type Fault = AnswerOf<'/sandbox', 'get'>['faults'][number];
type Kind = (typeof faultKinds)[number];
const shares = ['1', '0.5', '0.1'] as const;

function FaultCard({ kind, on, onTurn }: { readonly kind: Kind; readonly on?: Fault; readonly onTurn: () => void }) {
  const w = words();
  const { title, breaks, expect } = faultWords()[kind];
  return (
    <li class={`fault${on ? ' on' : ''}`}>
      <h3>
        {title}
        {on && <Badge tone="warn">{on.struck ? w.struck(Number(on.struck)) : w.on}</Badge>}
      </h3>
      <p>
        <strong>{w.breaks}.</strong> {breaks}
      </p>
      <p>
        <strong>{w.expect}.</strong> {expect}
      </p>
      {on && (
        <p>
          <a href="/app/operations">{w.seeOrders}</a> · <a href="/app/money">{w.seeMoney}</a>
        </p>
      )}
      {may('domains:write') && (
        <Button small aria-label={`${on ? w.allOff : w.turnOn}: ${title}`} onClick={onTurn}>
          {on ? w.allOff : w.turnOn}
        </Button>
      )}
    </li>
  );
}

function Faults() {
  const w = words();
  const sandbox = useResource('/sandbox', {}, { everyMs: 5_000 });
  const [refused, setRefused] = useState<Trouble>();
  const [rate, setRate] = useState<string>('1');
  const [limit, setLimit] = useState('');
  const turn = async (kind: Kind, isOn: boolean) => {
    const how = { rate, ...(limit.trim() ? { limit: Number(limit) } : {}), ...(kind === 'delay' ? { ms: 5_000 } : {}) };
    try {
      if (isOn) await call('delete', '/sandbox/faults', {});
      else await call('put', '/sandbox/faults', { body: { kind, ...how } });
      setRefused(undefined);
      await changed('/sandbox');
    } catch (error) {
      setRefused(asTrouble(error));
    }
  };
  const set = sandbox.data?.faults ?? [];
  const others = set.filter(({ kind }) => !faultKinds.some((each) => each === kind));
  return (
    <Card title={w.faults}>
      <p class="faint">{w.faultsText}</p>
      {may('domains:write') && (
        <Form onSubmit={() => undefined} trouble={refused} labels={{ limit: w.limit, rate: w.rate }}>
          <div class="fault-dial">
            <SelectField
              name="rate"
              label={w.rate}
              value={rate}
              onChoice={setRate}
              choices={shares.map((share) => ({ value: share, label: w.shares[share] }))}
            />
            <TextField
              name="limit"
              label={w.limit}
              hint={w.limitHint}
              inputMode="numeric"
              value={limit}
              onText={setLimit}
            />
          </div>
        </Form>
      )}
      {sandbox.trouble && <TroubleNote trouble={sandbox.trouble} onAgain={sandbox.again} />}
      {!sandbox.data && !sandbox.trouble && <Waiting />}
      {others.length > 0 && (
        <p>
          {w.other}: {others.map(({ kind }) => kind).join(', ')}
        </p>
      )}
      <ul class="faults">
        {faultKinds.map((kind) => {
          const on = set.find((each) => each.kind === kind);
          return <FaultCard key={kind} kind={kind} on={on} onTurn={() => void turn(kind, Boolean(on))} />;
        })}
      </ul>
    </Card>
  );
}

function RegistryView() {
  const w = words();
  const { query, go } = useAddress();
  const [name, setName] = useState(query.name ?? '');
  const asked = query.name ?? '';
  const found = useResource('/sandbox/domains/{name}', asked === '' ? undefined : { path: { name: asked } });
  const shown = found.data;
  const facts = Object.keys(w.facts) as (keyof typeof w.facts)[];
  return (
    <Card title={w.view}>
      <p class="faint">{w.viewText}</p>
      <Form onSubmit={() => go({ name: name.trim().toLowerCase() })} trouble={undefined} labels={{ name: w.name }}>
        <TextField name="name" label={w.name} value={name} onText={setName} />
        <div class="actions">
          <Button type="submit">{w.look}</Button>
        </div>
      </Form>
      {found.trouble && <TroubleNote trouble={found.trouble} onAgain={found.again} />}
      {shown && (
        <dl class="facts">
          {facts.map((fact) => {
            const value = shown[fact];
            const text = Array.isArray(value) ? value.join(', ') : value;
            return (
              <div key={fact}>
                <dt>{w.facts[fact]}</dt>
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
  const w = words();
  return (
    <>
      <PageHead title={w.clockAndFaults} lead={w.lead} actions={<CopyCurl method="get" address="/v1/sandbox" />} />
      <div class="columns">
        <Clock />
        <RegistryView />
      </div>
      <Faults />
    </>
  );
}
