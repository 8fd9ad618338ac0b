import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { changed, useResource } from '../data/resource.ts';
import '../domains/domains.css';
import { Fund } from '../money/fund.tsx';
import { words as moneyWords } from '../money/words.ts';
import { amountIn } from '../parts/amount.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Badge } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money, sumOf } from '../parts/money.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { Ask } from './ask.tsx';
import { words } from './words.ts';

type Reseller = Shape<'Reseller'>;
type Body = { amount: string; description: string };

function MoneyCard({ of }: { readonly of: Reseller }) {
  const w = words();
  const path = { reseller_id: of.reseller_id };
  const name = of.brand_name || of.company;
  const funds = useResource('/resellers/{reseller_id}/funds', { path });
  const [open, setOpen] = useState<'fund' | 'limit'>();
  const close = () => setOpen(undefined);
  const isWriter = may('billing:write');
  const after = () => changed(`/resellers/${of.reseller_id}`, '/account');
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
      title={w.money}
      actions={
        isWriter && (
          <>
            <Button small disabled={!funds.data} onClick={() => setOpen('limit')}>
              {w.setLimit}
            </Button>
            <Button small disabled={!funds.data} onClick={() => setOpen('fund')}>
              {moneyWords().fund}
            </Button>
          </>
        )
      }
    >
      {funds.trouble && <TroubleNote trouble={funds.trouble} onAgain={funds.again} />}
      {funds.isLoading && <Waiting rows={3} />}
      {funds.data && <Sums of={funds.data} />}
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
        <Ask
          title={w.setLimit}
          lead={w.setLimitText}
          field="credit_limit"
          label={`${w.limit} (${funds.data.credit_limit.currency})`}
          value={funds.data.credit_limit.amount}
          verb={(text) => w.limitTo(sumOf(text, of.selling_currency))}
          said={w.limitSaved}
          send={limit}
          onClose={close}
        />
      )}
    </Card>
  );
}

function Sums({ of }: { readonly of: Shape<'Funds'> }) {
  const w = words();
  return (
    <dl class="facts">
      {(
        [
          [w.balance, of.balance],
          [w.held, of.held],
          [w.limit, of.credit_limit],
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

function Who({ of }: { readonly of: Reseller }) {
  const w = words();
  const rows = [
    [w.id, <CopyText key="i" text={of.reseller_id} />],
    [w.brand, of.brand_name || '–'],
    [w.email, of.email],
    [w.country, of.country_name],
    [w.currency, of.selling_currency],
    [w.since, <Moment key="s" at={of.creation_date} />],
  ] as const;
  return (
    <Card title={w.who}>
      <dl class="facts">
        {rows.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Suspending can be undone, and says what goes on meanwhile. */
function Standing({ of }: { readonly of: Reseller }) {
  const w = words();
  const path = { reseller_id: of.reseller_id };
  const [isOpen, setOpen] = useState(false);
  const isActive = of.status === 'Active';
  const send = async (reason: string) => {
    if (isActive) await call('post', '/resellers/{reseller_id}/suspend', { path, body: reason ? { reason } : {} });
    else await call('post', '/resellers/{reseller_id}/activate', { path });
    await changed('/resellers');
  };
  return (
    <>
      <Button kind={isActive ? 'danger' : 'primary'} onClick={() => setOpen(true)}>
        {isActive ? w.suspend : w.activate}
      </Button>
      {isOpen && (
        <Ask
          title={isActive ? w.suspendTitle(of.company) : w.activate}
          lead={isActive ? w.suspendText : of.company}
          {...(isActive ? { field: 'reason', label: w.reason, hint: w.reasonHint } : {})}
          value=""
          verb={isActive ? w.suspend : w.activate}
          isDanger={isActive}
          said={isActive ? w.suspended : w.activated}
          send={send}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

export default function ResellerPage() {
  const w = words();
  const resellerId = useRoute().params.id ?? '';
  const said = useResource('/resellers/{reseller_id}', { path: { reseller_id: resellerId } });
  const of = said.data;
  return (
    <>
      <PageHead
        title={of?.company ?? w.resellers}
        lead={of && <Badge tone={of.status === 'Active' ? 'good' : 'warn'}>{w.statusOf(of.status)}</Badge>}
        actions={
          <>
            <CopyCurl method="get" address={`/v1/resellers/${resellerId}`} />
            {of && may('resellers:write') && <Standing of={of} />}
          </>
        }
      />
      {said.trouble && <TroubleNote trouble={said.trouble} onAgain={said.again} />}
      {said.isLoading && <Waiting />}
      {of && (
        <div class="columns">
          {may('billing:read') && <MoneyCard of={of} />}
          <Who of={of} />
        </div>
      )}
    </>
  );
}
