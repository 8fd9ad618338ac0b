import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Facts } from '../components/facts.tsx';
import { invalidate, useResource } from '../data/resource.ts';
import '../domains/domains.css';
import { amountIn, typedAmount } from '../components/amount.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Moment } from '../components/moment.tsx';
import { Money, sumOf } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { Fund } from '../money/fund.tsx';
import { messages as moneyMessages } from '../money/messages.ts';
import { may } from '../session/current-session.ts';
import { messages } from './messages.ts';
import { PromptDialog } from './prompt.tsx';

type Reseller = Schema<'Reseller'>;
type Body = { amount: string; description: string };

function MoneyCard({ of }: { readonly of: Reseller }) {
  const t = messages();
  const path = { reseller_id: of.reseller_id };
  const name = of.brand_name || of.company;
  const funds = useResource('/resellers/{reseller_id}/funds', { path });
  const [open, setOpen] = useState<'fund' | 'limit'>();
  const close = () => setOpen(undefined);
  const isWriter = may('billing:write');
  const after = () => invalidate(`/resellers/${of.reseller_id}`, '/account');
  const fund = async (body: Body, idempotencyKey: string) => {
    await call('post', '/resellers/{reseller_id}/transactions/fund', { path, body }, { idempotencyKey });
    await after();
  };
  const limit = async (typed: string) => {
    const body = { credit_limit: amountIn(typed) };
    await call('put', '/resellers/{reseller_id}/credit_limit', { path, body });
    await after();
  };
  return (
    <Card
      title={t.money}
      actions={
        isWriter && (
          <>
            <Button small disabled={!funds.data} onClick={() => setOpen('limit')}>
              {t.setLimit}
            </Button>
            <Button small disabled={!funds.data} onClick={() => setOpen('fund')}>
              {moneyMessages().fund}
            </Button>
          </>
        )
      }
    >
      {funds.error && <ErrorBanner error={funds.error} onRetry={funds.refetch} />}
      {funds.isLoading && <Skeleton rows={3} />}
      {funds.data && <Balances of={funds.data} />}
      {open === 'fund' && funds.data && (
        <Fund
          of={`resellers/${of.reseller_id}`}
          name={name}
          currency={funds.data.balance.currency}
          send={fund}
          onClose={close}
        />
      )}
      {open === 'limit' && funds.data && (
        <PromptDialog
          title={t.setLimit}
          lead={t.setLimitText}
          field="credit_limit"
          label={`${t.limit} (${funds.data.credit_limit.currency})`}
          value={typedAmount(funds.data.credit_limit.amount)}
          verb={(text) => t.limitTo(sumOf(text, of.selling_currency))}
          successText={t.limitSaved}
          send={limit}
          onClose={close}
        />
      )}
    </Card>
  );
}

function Balances({ of }: { readonly of: Schema<'Funds'> }) {
  const t = messages();
  return (
    <dl class="facts">
      {(
        [
          [t.balance, of.balance],
          [t.held, of.held],
          [t.limit, of.credit_limit],
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
  );
}

function ResellerDetails({ of }: { readonly of: Reseller }) {
  const t = messages();
  const rows = [
    [t.id, <CopyText key="i" text={of.reseller_id} />],
    [t.brand, of.brand_name || '–'],
    [t.email, of.email],
    [t.country, of.country_name],
    [t.currency, of.selling_currency],
    [t.since, <Moment key="s" at={of.creation_date} />],
  ] as const;
  return (
    <Card title={t.details}>
      <Facts rows={rows} />
    </Card>
  );
}

/** Suspends or activates the account. */
function AccountStatus({ of }: { readonly of: Reseller }) {
  const t = messages();
  const path = { reseller_id: of.reseller_id };
  const [isOpen, setOpen] = useState(false);
  const isActive = of.status === 'Active';
  const send = async (reason: string) => {
    if (isActive) await call('post', '/resellers/{reseller_id}/suspend', { path, body: reason ? { reason } : {} });
    else await call('post', '/resellers/{reseller_id}/activate', { path });
    await invalidate('/resellers');
  };
  return (
    <>
      <Button kind={isActive ? 'danger' : 'primary'} onClick={() => setOpen(true)}>
        {isActive ? t.suspend : t.activate}
      </Button>
      {isOpen && (
        <PromptDialog
          title={isActive ? t.suspendTitle(of.company) : t.activate}
          lead={isActive ? t.suspendText : of.company}
          {...(isActive ? { field: 'reason', label: t.reason, hint: t.reasonHint } : {})}
          value=""
          verb={isActive ? t.suspend : t.activate}
          isDanger={isActive}
          successText={isActive ? t.suspended : t.activated}
          send={send}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

export default function ResellerPage() {
  const t = messages();
  const resellerId = useRoute().params.id ?? '';
  const resource = useResource('/resellers/{reseller_id}', { path: { reseller_id: resellerId } });
  const of = resource.data;
  return (
    <>
      <PageHead
        title={of?.company ?? t.resellers}
        lead={of && <Badge tone={of.status === 'Active' ? 'good' : 'warn'}>{t.statusOf(of.status)}</Badge>}
        actions={
          <>
            <CopyCurl method="get" address={`/v1/resellers/${resellerId}`} />
            {of && may('resellers:write') && <AccountStatus of={of} />}
          </>
        }
      />
      {resource.error && <ErrorBanner error={resource.error} onRetry={resource.refetch} />}
      {resource.isLoading && <Skeleton />}
      {of && (
        <div class="columns">
          {may('billing:read') && <MoneyCard of={of} />}
          <ResellerDetails of={of} />
        </div>
      )}
    </>
  );
}
