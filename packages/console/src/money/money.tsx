import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty, Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { FilterSelect } from '../components/filter.tsx';
import { Listing } from '../components/listing.tsx';
import { Money } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { AccountHolds } from '../reports/holds.tsx';
import { currentSession } from '../session/current-session.ts';
import { columns } from './columns.tsx';
import './money.css';
import { CustomerMoney } from './customer-money.tsx';
import { messages } from './messages.ts';
import { MoneySeries } from './series.tsx';

const pageSize = 25;
const types = ['domain', 'privacy_protect', 'deposit', 'note'] as const;

function Funds() {
  const t = messages();
  const funds = useResource('/account/funds', {});
  if (!funds.data) return funds.error ? <ErrorBanner error={funds.error} onRetry={funds.refetch} /> : <Skeleton />;
  const { balance, held, credit_limit } = funds.data;
  const sums = [
    [t.balance, balance, t.balanceText],
    [t.held, held, t.heldText],
    [t.credit, credit_limit, t.creditText],
  ] as const;
  return (
    <dl class="sums">
      {sums.map(([title, sum, text]) => (
        <div key={title} class="card">
          <dt>{title}</dt>
          <dd>
            <Money {...sum} />
          </dd>
          <dd class="faint">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

export default function MoneyPage() {
  const customer = currentSession.value?.customer;
  return customer ? <CustomerMoney customerId={customer.customer_id} /> : <AccountMoney />;
}

function AccountMoney() {
  const t = messages();
  const { query, page } = usePageUrl();
  const type = types.find((each) => each === query.type);
  const list = useResource('/account/transactions', {
    query: {
      limit: pageSize,
      page_no: page,
      transaction_type: type,
      transaction_id: query.transaction ? [query.transaction] : undefined,
    },
  });
  return (
    <>
      <PageHead
        title={t.money}
        lead={t.lead}
        actions={<CopyCurl method="get" address={`/v1/account/transactions?limit=${pageSize}`} />}
      />
      <Funds />
      <MoneySeries />
      <AccountHolds />
      <search class="row">
        <FilterSelect
          name="type"
          label={t.type}
          value={type}
          options={[['', t.anyType], ...types.map((each) => [each, t.types[each]] as const)]}
        />
      </search>
      <Listing
        label={t.transactions}
        list={list}
        size={pageSize}
        keyOf={(row) => row.transaction_id}
        columns={columns(t)}
        narrowed={Boolean(type || query.transaction) && { title: t.noneFound, clear: t.clear }}
        none={<Empty title={t.none}>{t.noneText}</Empty>}
      />
    </>
  );
}
