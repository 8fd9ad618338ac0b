import type { ComponentChildren } from 'preact';
import type { Schema } from '../api/shapes.ts';
import { businessNow } from '../data/clock.ts';
import { type Resource, useResource } from '../data/resource.ts';
import '../domains/domains.css';
import { ButtonLink } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { Empty, Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Moment, momentText } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { messages as common } from '../messages/common.ts';
import { RenewalForecast } from '../money/renewal-forecast.tsx';
import { MoneySeries } from '../money/series.tsx';
import { RequestedBy } from '../operations/approval.tsx';
import { isAwaitingApproval, isCodeRefused, kindText } from '../operations/line.ts';
import { State } from '../operations/state.tsx';
import { AccountDomainCounts } from '../reports/domain-counts.tsx';
import { currentSession, may } from '../session/current-session.ts';
import { messages } from './messages.ts';

const soonDays = 60;
const shownNames = 8;

/** Content, a loading placeholder or an error. */
function Loaded<T>({ of, children }: { readonly of: Resource<T>; readonly children: (data: T) => ComponentChildren }) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  return of.error ? <ErrorBanner error={of.error} onRetry={of.refetch} /> : <Skeleton />;
}

function Ending() {
  const t = messages();
  const until = new Date(businessNow().getTime() + soonDays * 86_400_000);
  const query = { limit: shownNames, sort: 'expiry', expiry_date_end: until.toISOString().slice(0, 10) } as const;
  const expired = useResource('/domains', { query: { ...query, status: 'Expired' } });
  const expiring = useResource('/domains', { query: { ...query, status: 'Live' } });
  const first = [...(expired.data ?? []), ...(expiring.data ?? [])].slice(0, shownNames);
  const names = {
    ...expiring,
    error: expired.error ?? expiring.error,
    data: expired.data && expiring.data && first,
    refetch: () => {
      expired.refetch();
      expiring.refetch();
    },
  };
  return (
    <Card
      title={t.ending}
      actions={
        <ButtonLink small href="/app/domains?sort=expiry">
          {t.all}
        </ButtonLink>
      }
    >
      <p class="faint">{t.endingText(momentText(until))}</p>
      <Loaded of={names}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{t.noneExpiring}</p>
          ) : (
            <dl class="facts">
              {rows.map((row) => (
                <div key={row.domain_id}>
                  <dt>
                    <a href={`/app/domains/${row.domain_name}`}>
                      <DomainName name={row.domain_name} />
                    </a>
                  </dt>
                  <dd class="row">
                    {row.order_status === 'Expired' && <Badge tone="bad">{t.expired}</Badge>}
                    <Moment at={row.expiry_date ?? ''} isBusiness />
                  </dd>
                </div>
              ))}
            </dl>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Whether the user must act before the operation continues. */
const needsAction = (operation: Schema<'Operation'>) => isCodeRefused(operation) || isAwaitingApproval(operation);

/** Operations that wait for the user: for an approval, or for another auth code. */
function useOperationsToDecide(): readonly Schema<'Operation'>[] {
  const waiting = useResource('/operations', { query: { state: 'action_required', limit: shownNames } });
  const atRegistry = useResource('/operations', { query: { state: 'waiting_registry', kind: 'transfer', limit: 50 } });
  return [...(waiting.data ?? []), ...(atRegistry.data ?? [])].filter(needsAction);
}

/** Domains that another registrar requests, and operations that wait for the user. Hidden if there are none. */
function ActionRequired() {
  const t = messages();
  const names = useResource('/domains', { query: { limit: shownNames, status: 'Pending Transfer' } });
  const operations = useOperationsToDecide();
  // Transfers in have the same status.
  const rows = names.data?.filter(({ state }) => state === 'pending_transfer') ?? [];
  if (rows.length === 0 && operations.length === 0) return null;
  return (
    <Card title={t.needed}>
      {operations.length > 0 && <Orders rows={operations} />}
      {rows.length > 0 && (
        <dl class="facts">
          {rows.map(({ domain_id, domain_name, transfer_away }) => (
            <div key={domain_id}>
              <dt>
                <a href={`/app/domains/${domain_name}`}>
                  <DomainName name={domain_name} />
                </a>
              </dt>
              <dd>
                <p>{t.transferOut}</p>
                {transfer_away?.action_at && (
                  <p class="faint">
                    {t.decideBy} <Moment at={transfer_away.action_at} isBusiness />
                  </p>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

function Orders({ rows }: { readonly rows: readonly Schema<'Operation'>[] }) {
  return (
    <dl class="facts">
      {rows.map((each) => (
        <div key={each.operation_id}>
          <dt>
            <a href={`/app/operations/${each.operation_id}`}>{kindText(each)}</a>
            {each.domain_name && (
              <>
                {': '}
                <a href={`/app/domains/${each.domain_name}`}>
                  <DomainName name={each.domain_name} />
                </a>
              </>
            )}
            <RequestedBy operation={each} />
          </dt>
          <dd class="row">
            <State of={each} />
            <Moment at={each.updated_at} withTime />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Operations() {
  const t = messages();
  const operations = useResource('/operations', { query: { limit: 12 } });
  return (
    <>
      <Card title={t.inProgress}>
        <Loaded of={operations}>
          {(rows) => {
            // Those that wait for the user are listed above.
            const open = rows.filter((row) => !row.is_final && !(may('domains:write') && needsAction(row)));
            return open.length === 0 ? <p>{t.noneInProgress}</p> : <Orders rows={open} />;
          }}
        </Loaded>
      </Card>
      <Card title={t.recentOperations}>
        <Loaded of={operations}>
          {(rows) => {
            const ended = rows.filter(({ is_final }) => is_final).slice(0, 8);
            return ended.length === 0 ? <Empty title={t.noRecent}>{t.noRecentText}</Empty> : <Orders rows={ended} />;
          }}
        </Loaded>
      </Card>
    </>
  );
}

function Funds() {
  const t = messages();
  const funds = useResource('/account/funds', {});
  return (
    <Card title={t.money}>
      <Loaded of={funds}>
        {({ balance, held, credit_limit }) => (
          <dl class="facts">
            {(
              [
                [t.balance, balance],
                [t.held, held],
                [t.credit, credit_limit],
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
      </Loaded>
    </Card>
  );
}

function CustomerFunds({ customerId }: { readonly customerId: string }) {
  const t = messages();
  const funds = useResource('/customers/{customer_id}/funds', { path: { customer_id: customerId } });
  return (
    <Card title={t.money}>
      <Loaded of={funds}>
        {({ balance, held }) => (
          <dl class="facts">
            <div>
              <dt>{t.balance}</dt>
              <dd>
                <Money {...balance} />
              </dd>
            </div>
            <div>
              <dt>{t.held}</dt>
              <dd>
                <Money {...held} />
              </dd>
            </div>
          </dl>
        )}
      </Loaded>
    </Card>
  );
}

export default function Home() {
  const { account, customer } = currentSession.value!;
  return (
    <>
      <PageHead title={common().home} lead={account.company} />
      <div class="columns">
        {may('domains:read') && (
          <div class="stack">
            {may('domains:write') && !customer && <ActionRequired />}
            <Ending />
            <Operations />
            {may('account:read') && !customer && <AccountDomainCounts />}
          </div>
        )}
        <div class="stack">
          {customer && <CustomerFunds customerId={customer.customer_id} />}
          {may('account:read') && !customer && (
            <>
              <Funds />
              {may('domains:read') && <RenewalForecast />}
              <MoneySeries />
            </>
          )}
        </div>
      </div>
    </>
  );
}
