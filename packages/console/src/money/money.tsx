import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty, Waiting } from '../parts/empty.tsx';
import { Choice } from '../parts/filter.tsx';
import { Listing } from '../parts/listing.tsx';
import { Money } from '../parts/money.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { OwnHolds } from '../series/holds.tsx';
import { who } from '../session/who.ts';
import { columns } from './columns.tsx';
import './money.css';
import { OwnMoney } from './own.tsx';
import { MoneySeries } from './series.tsx';
import { words } from './words.ts';

const pageSize = 25;
const types = ['domain', 'privacy_protect', 'deposit', 'note'] as const;

/** Three sums, each with what it means. */
function Funds() {
  const w = words();
  const funds = useResource('/account/funds', {});
  if (!funds.data) return funds.trouble ? <TroubleNote trouble={funds.trouble} onAgain={funds.again} /> : <Waiting />;
  const { balance, held, credit_limit } = funds.data;
  const sums = [
    [w.balance, balance, w.balanceText],
    [w.held, held, w.heldText],
    [w.credit, credit_limit, w.creditText],
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
  const customer = who.value?.customer;
  return customer ? <OwnMoney customerId={customer.customer_id} /> : <AccountMoney />;
}

function AccountMoney() {
  const w = words();
  const { query, page } = useAddress();
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
        title={w.money}
        lead={w.lead}
        actions={<CopyCurl method="get" address={`/v1/account/transactions?limit=${pageSize}`} />}
      />
      <Funds />
      <MoneySeries />
      <OwnHolds />
      <search class="row">
        <Choice
          name="type"
          label={w.type}
          value={type}
          options={[['', w.anyType], ...types.map((each) => [each, w.types[each]] as const)]}
        />
      </search>
      <Listing
        label={w.transactions}
        list={list}
        size={pageSize}
        keyOf={(row) => row.transaction_id}
        columns={columns(w)}
        narrowed={Boolean(type || query.transaction) && { title: w.noneFound, clear: w.clear }}
        none={<Empty title={w.none}>{w.noneText}</Empty>}
      />
    </>
  );
}
