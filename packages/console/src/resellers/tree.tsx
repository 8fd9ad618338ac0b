import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty, Waiting } from '../parts/empty.tsx';
import { Badge } from '../parts/light.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Pager } from '../parts/table.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may, who } from '../session/who.ts';
import { MakeReseller } from './make.tsx';
import './resellers.css';
import { words } from './words.ts';

/** Each shows its balance, which is a call of its own: few on a page. */
const pageSize = 20;

function Sum({ of }: { readonly of: Shape<'Funds'> | undefined }) {
  const w = words();
  if (!of) return <span class="faint">–</span>;
  const { balance, credit_limit } = of;
  return (
    <span class="branch-sum">
      <Money {...balance} />
      {/[1-9]/.test(credit_limit.amount) && (
        <span class="faint">{w.credit(moneyText(credit_limit.amount, credit_limit.currency))}</span>
      )}
    </span>
  );
}

function Branch({ of }: { readonly of: Shape<'Reseller'> }) {
  const w = words();
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
        <Badge tone={of.status === 'Active' ? 'good' : 'warn'}>{w.statusOf(of.status)}</Badge>
        <Sum of={funds.data} />
      </div>
    </li>
  );
}

/** The account and who stands right below it. Parents see no further: what is below a child is the child's. */
export default function ResellerTree() {
  const w = words();
  const { page, go } = useAddress();
  const { account } = who.value!;
  const list = useResource('/resellers', { query: { limit: pageSize, page_no: page } });
  const own = useResource('/account/funds', may('account:read') ? {} : undefined);
  const [isMaking, setMaking] = useState(false);
  const make = may('resellers:write') && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {w.make}
    </Button>
  );
  return (
    <>
      <PageHead
        title={w.resellers}
        lead={w.lead}
        actions={
          <>
            {make}
            <CopyCurl method="get" address={`/v1/resellers?limit=${pageSize}`} />
          </>
        }
      />
      {list.trouble && <TroubleNote trouble={list.trouble} onAgain={list.again} />}
      {list.isLoading && <Waiting rows={5} />}
      {list.data && (
        <ul class="tree card">
          <li>
            <div class="branch">
              <span>
                <strong>{account.company}</strong> <code class="faint">{account.reseller_id}</code>
              </span>
              <Badge tone="accent">{w.you}</Badge>
              <Sum of={own.data} />
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
        <Empty title={w.none} action={make}>
          {w.noneText}
        </Empty>
      )}
      <Pager page={page} size={pageSize} total={totalOf(list)} onPage={(next) => go({ page: String(next) })} />
      {isMaking && <MakeReseller currency={own.data?.balance.currency ?? 'USD'} onClose={() => setMaking(false)} />}
    </>
  );
}
