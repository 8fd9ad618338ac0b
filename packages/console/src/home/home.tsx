import type { ComponentChildren } from 'preact';
import type { Shape } from '../api/shapes.ts';
import { businessNow } from '../data/clock.ts';
import { type Resource, useResource } from '../data/resource.ts';
import '../domains/domains.css';
import { WillItLast } from '../money/lasting.tsx';
import { MoneySeries } from '../money/series.tsx';
import { State } from '../operations/state.tsx';
import { words as operationWords } from '../operations/words.ts';
import { ButtonLink } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Empty, Waiting } from '../parts/empty.tsx';
import { Moment, momentText } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { NameText } from '../parts/name-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { OwnNames } from '../series/names.tsx';
import { may, who } from '../session/who.ts';
import { words as common } from '../words/words.ts';
import { words } from './words.ts';

const soonDays = 60;

/** What was said, or that it is waited for, or what went wrong. */
function Said<T>({ of, children }: { readonly of: Resource<T>; readonly children: (data: T) => ComponentChildren }) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  return of.trouble ? <TroubleNote trouble={of.trouble} onAgain={of.again} /> : <Waiting />;
}

function Ending() {
  const w = words();
  const until = new Date(businessNow().getTime() + soonDays * 86_400_000);
  const names = useResource('/domains', {
    // Live: an expired domain does not end soon, it has ended.
    query: { limit: 8, sort: 'expiry', status: 'Live', expiry_date_end: until.toISOString().slice(0, 10) },
  });
  return (
    <Card
      title={w.ending}
      actions={
        <ButtonLink small href="/app/domains?sort=expiry">
          {w.all}
        </ButtonLink>
      }
    >
      <p class="faint">{w.endingText(momentText(until))}</p>
      <Said of={names}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{w.allQuiet}</p>
          ) : (
            <dl class="facts">
              {rows.map((row) => (
                <div key={row.domain_id}>
                  <dt>
                    <a href={`/app/domains/${row.domain_name}`}>
                      <NameText name={row.domain_name} />
                    </a>
                  </dt>
                  <dd>
                    <Moment at={row.expiry_date ?? ''} isBusiness />
                  </dd>
                </div>
              ))}
            </dl>
          )
        }
      </Said>
    </Card>
  );
}

function Orders({ rows }: { readonly rows: readonly Shape<'Operation'>[] }) {
  const { kindOf } = operationWords();
  return (
    <dl class="facts">
      {rows.map((each) => (
        <div key={each.operation_id}>
          <dt>
            <a href={`/app/operations/${each.operation_id}`}>{kindOf(each.kind)}</a>
            {each.domain_name && (
              <>
                {' '}
                <a href={`/app/domains/${each.domain_name}`}>
                  <NameText name={each.domain_name} />
                </a>
              </>
            )}
          </dt>
          <dd class="row">
            <State state={each.state} />
            <Moment at={each.updated_at} withTime />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Operations() {
  const w = words();
  const said = useResource('/operations', { query: { limit: 12 } });
  return (
    <>
      <Card title={w.flight}>
        <Said of={said}>
          {(rows) => {
            const open = rows.filter(({ is_final }) => !is_final);
            return open.length === 0 ? <p>{w.nothing}</p> : <Orders rows={open} />;
          }}
        </Said>
      </Card>
      <Card title={w.recent}>
        <Said of={said}>
          {(rows) => {
            const ended = rows.filter(({ is_final }) => is_final).slice(0, 8);
            return ended.length === 0 ? <Empty title={w.noRecent}>{w.noRecentText}</Empty> : <Orders rows={ended} />;
          }}
        </Said>
      </Card>
    </>
  );
}

function Funds() {
  const w = words();
  const funds = useResource('/account/funds', {});
  return (
    <Card title={w.money}>
      <Said of={funds}>
        {({ balance, held, credit_limit }) => (
          <dl class="facts">
            {(
              [
                [w.balance, balance],
                [w.held, held],
                [w.credit, credit_limit],
              ] as const
            ).map(([title, sum]) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd>
                  <Money {...sum} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Said>
    </Card>
  );
}

function OwnFunds({ customerId }: { readonly customerId: string }) {
  const w = words();
  const funds = useResource('/customers/{customer_id}/funds', { path: { customer_id: customerId } });
  return (
    <Card title={w.money}>
      <Said of={funds}>
        {({ balance, held }) => (
          <dl class="facts">
            <div>
              <dt>{w.balance}</dt>
              <dd>
                <Money {...balance} />
              </dd>
            </div>
            <div>
              <dt>{w.held}</dt>
              <dd>
                <Money {...held} />
              </dd>
            </div>
          </dl>
        )}
      </Said>
    </Card>
  );
}

export default function Home() {
  const { account, customer } = who.value!;
  return (
    <>
      <PageHead title={common().home} lead={account.company} />
      <div class="columns">
        {may('domains:read') && (
          <div class="stack">
            <Ending />
            <Operations />
            {may('account:read') && !customer && <OwnNames />}
          </div>
        )}
        <div class="stack">
          {customer && <OwnFunds customerId={customer.customer_id} />}
          {may('account:read') && !customer && (
            <>
              <Funds />
              {may('domains:read') && <WillItLast />}
              <MoneySeries />
            </>
          )}
        </div>
      </div>
    </>
  );
}
