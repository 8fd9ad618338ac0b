import { useState } from 'preact/hooks';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty, Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Money, moneyText } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { Pager } from '../components/table.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { currentSession, may } from '../session/current-session.ts';
import { MakeReseller } from './make.tsx';
import './resellers.css';
import { messages } from './messages.ts';

/** Small, because each row needs a call for its balance. */
const pageSize = 20;

function AvailableBalance({ of }: { readonly of: Schema<'Funds'> | undefined }) {
  const t = messages();
  if (!of) return <span class="faint">–</span>;
  const { balance, credit_limit } = of;
  return (
    <span class="branch-sum">
      <Money {...balance} />
      {/[1-9]/.test(credit_limit.amount) && (
        <span class="faint">{t.credit(moneyText(credit_limit.amount, credit_limit.currency))}</span>
      )}
    </span>
  );
}

function Branch({ of }: { readonly of: Schema<'Reseller'> }) {
  const t = messages();
  const funds = useResource(
    '/resellers/{reseller_id}/funds',
    may('billing:read') ? { path: { reseller_id: of.reseller_id } } : undefined,
  );
  return (
    <li>
      <div class="branch">
        <span>
          <a href={`/app/resellers/${of.reseller_id}`}>{of.brand_name || of.company}</a>{' '}
          <code class="faint">{of.reseller_id}</code>
        </span>
        <Badge tone={of.status === 'Active' ? 'good' : 'warn'}>{t.statusOf(of.status)}</Badge>
        <AvailableBalance of={funds.data} />
      </div>
    </li>
  );
}

/** The account and its direct sub-resellers. Accounts further below are not visible to it. */
export default function ResellerTree() {
  const t = messages();
  const { page, go } = usePageUrl();
  const { account } = currentSession.value!;
  const list = useResource('/resellers', { query: { limit: pageSize, page_no: page } });
  const own = useResource('/account/funds', may('account:read') ? {} : undefined);
  const [isMaking, setMaking] = useState(false);
  const make = may('resellers:write') && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {t.addReseller}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t.resellers}
        lead={t.lead}
        actions={
          <>
            {make}
            <CopyCurl method="get" address={`/v1/resellers?limit=${pageSize}`} />
          </>
        }
      />
      {list.error && <ErrorBanner error={list.error} onRetry={list.refetch} />}
      {list.isLoading && <Skeleton rows={5} />}
      {list.data && (
        <ul class="tree card">
          <li>
            <div class="branch">
              <span>
                <strong>{account.company}</strong> <code class="faint">{account.reseller_id}</code>
              </span>
              <Badge tone="accent">{t.you}</Badge>
              <AvailableBalance of={own.data} />
            </div>
            {list.data.length > 0 && (
              <ul>
                {list.data.map((each) => (
                  <Branch key={each.reseller_id} of={each} />
                ))}
              </ul>
            )}
          </li>
        </ul>
      )}
      {list.data?.length === 0 && (
        <Empty title={t.none} action={make}>
          {t.noneText}
        </Empty>
      )}
      <Pager page={page} size={pageSize} total={totalOf(list)} onPage={(next) => go({ page: String(next) })} />
      {isMaking && <MakeReseller currency={own.data?.balance.currency ?? 'USD'} onClose={() => setMaking(false)} />}
    </>
  );
}
