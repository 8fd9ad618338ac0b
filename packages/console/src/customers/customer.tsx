import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { changed, useResource } from '../data/resource.ts';
import '../domains/domains.css';
import { Status } from '../domains/status.tsx';
import { Fund } from '../money/fund.tsx';
import { words as moneyWords } from '../money/words.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Empty, Waiting } from '../parts/empty.tsx';
import { Badge } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { Access } from './access.tsx';
import { words } from './words.ts';

type Customer = Shape<'Customer'>;
const shownNames = 10;

function Who({ of }: { readonly of: Customer }) {
  const w = words();
  const street = [of.address_line_1, of.address_line_2, of.address_line_3, `${of.zipcode} ${of.city}`, of.country_name];
  const rows = [
    [w.id, <CopyText key="i" text={of.customer_id} />],
    [w.company, of.company],
    [w.email, of.email],
    [w.telephone, `+${of.tel_cc_no} ${of.tel_no}`],
    [w.where, street.filter(Boolean).join(', ')],
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

function Balance({ of }: { readonly of: Customer }) {
  const w = words();
  const path = { customer_id: of.customer_id };
  const funds = useResource('/customers/{customer_id}/funds', { path });
  const [isFunding, setFunding] = useState(false);
  const send = async (body: { amount: string; description: string }, idempotencyKey: string) => {
    await call('post', '/customers/{customer_id}/transactions/fund', { path, body }, { idempotencyKey });
    await changed(`/customers/${of.customer_id}`);
  };
  return (
    <Card
      title={w.money}
      actions={
        may('billing:write') && (
          <Button small disabled={!funds.data} onClick={() => setFunding(true)}>
            {moneyWords().fund}
          </Button>
        )
      }
    >
      {funds.trouble && <TroubleNote trouble={funds.trouble} onAgain={funds.again} />}
      {funds.isLoading && <Waiting rows={2} />}
      {funds.data && (
        <dl class="facts">
          <div>
            <dt>{w.balance}</dt>
            <dd>
              <Money {...funds.data.balance} />
            </dd>
          </div>
          <div>
            <dt>{w.held}</dt>
            <dd>
              <Money {...funds.data.held} />
            </dd>
          </div>
        </dl>
      )}
      {isFunding && funds.data && (
        <Fund
          of={`customers/${of.customer_id}`}
          name={of.name}
          currency={funds.data.balance.currency}
          send={send}
          onClose={() => setFunding(false)}
        />
      )}
    </Card>
  );
}

function Names({ customerId }: { readonly customerId: string }) {
  const w = words();
  const list = useResource('/domains', { query: { limit: shownNames, customer_id: customerId } });
  return (
    <Card
      title={w.domains}
      actions={
        <ButtonLink small href="/app/domains">
          {w.allDomains}
        </ButtonLink>
      }
    >
      <Table
        label={w.domains}
        rows={list.data}
        keyOf={(row) => row.domain_id}
        trouble={list.trouble}
        onAgain={list.again}
        empty={<Empty title={w.noDomains} />}
        columns={[
          {
            key: 'name',
            title: w.name,
            isTitle: true,
            cell: (row) => <a href={`/app/domains/${row.domain_name}`}>{row.domain_name}</a>,
          },
          { key: 'status', title: w.status, cell: (row) => <Status status={row.order_status} /> },
          { key: 'expiry', title: w.expires, cell: (row) => <Moment at={row.expiry_date ?? ''} /> },
        ]}
      />
    </Card>
  );
}

function Contacts({ customerId }: { readonly customerId: string }) {
  const w = words();
  const list = useResource('/customers/{customer_id}/contacts', {
    path: { customer_id: customerId },
    query: { limit: 25 },
  });
  return (
    <Card title={w.contacts}>
      <Table
        label={w.contacts}
        rows={list.data}
        keyOf={(row) => row.contact_id}
        trouble={list.trouble}
        onAgain={list.again}
        empty={<Empty title={w.noContacts}>{w.noContactsText}</Empty>}
        columns={[
          { key: 'name', title: w.name, isTitle: true, cell: (row) => row.name },
          { key: 'company', title: w.company, cell: (row) => row.company },
          { key: 'email', title: w.email, cell: (row) => row.email },
          { key: 'phone', title: w.telephone, cell: (row) => row.phone },
          { key: 'id', title: w.id, cell: (row) => <code>{row.contact_id}</code> },
        ]}
      />
    </Card>
  );
}

export default function CustomerPage() {
  const w = words();
  const customerId = useRoute().params.id ?? '';
  const said = useResource('/customers/{customer_id}', { path: { customer_id: customerId } });
  const of = said.data;
  return (
    <>
      <PageHead
        title={of?.name ?? w.customers}
        lead={of && <Badge tone={of.status === 'Active' ? 'good' : 'warn'}>{w.statuses[of.status]}</Badge>}
        actions={<CopyCurl method="get" address={`/v1/customers/${customerId}`} />}
      />
      {said.trouble && <TroubleNote trouble={said.trouble} onAgain={said.again} />}
      {said.isLoading && <Waiting />}
      {of && (
        <>
          <div class="columns">
            <div class="stack">
              <Access customerId={of.customer_id} />
              {may('billing:read') && <Balance of={of} />}
            </div>
            <Who of={of} />
          </div>
          {may('domains:read') && <Names customerId={of.customer_id} />}
          {may('contacts:read') && <Contacts customerId={of.customer_id} />}
        </>
      )}
    </>
  );
}
