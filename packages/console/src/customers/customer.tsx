import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Facts } from '../components/facts.tsx';
import { invalidate, useResource } from '../data/resource.ts';
import '../domains/domains.css';
import { Button, ButtonLink } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { Empty, Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { Table } from '../components/table.tsx';
import { Status } from '../domains/status.tsx';
import { Fund } from '../money/fund.tsx';
import { messages as moneyMessages } from '../money/messages.ts';
import { may } from '../session/current-session.ts';
import { Access } from './access.tsx';
import { messages } from './messages.ts';

type Customer = Schema<'Customer'>;
const shownNames = 10;

/** Empty for the value that the API has for no state. */
const stateOf = ({ state }: Customer) => (state === 'Not Applicable' ? '' : state);

function CustomerDetails({ of }: { readonly of: Customer }) {
  const t = messages();
  const street = [
    of.address_line_1,
    of.address_line_2,
    of.address_line_3,
    `${of.zipcode} ${of.city}`,
    stateOf(of),
    of.country_name,
  ];
  const rows = [
    [t.id, <CopyText key="i" text={of.customer_id} />],
    [t.company, of.company],
    [t.email, of.email],
    [t.telephone, `+${of.tel_cc_no} ${of.tel_no}`],
    [t.address, street.filter(Boolean).join(', ')],
    [t.since, <Moment key="s" at={of.creation_date} />],
  ] as const;
  return (
    <Card title={t.details}>
      <Facts rows={rows} />
    </Card>
  );
}

function Balance({ of }: { readonly of: Customer }) {
  const t = messages();
  const path = { customer_id: of.customer_id };
  const funds = useResource('/customers/{customer_id}/funds', { path });
  const [isFunding, setFunding] = useState(false);
  const send = async (body: { amount: string; description: string }, idempotencyKey: string) => {
    await call('post', '/customers/{customer_id}/transactions/fund', { path, body }, { idempotencyKey });
    await invalidate(`/customers/${of.customer_id}`);
  };
  return (
    <Card
      title={t.money}
      actions={
        may('billing:write') && (
          <Button small disabled={!funds.data} onClick={() => setFunding(true)}>
            {moneyMessages().fund}
          </Button>
        )
      }
    >
      {funds.error && <ErrorBanner error={funds.error} onRetry={funds.refetch} />}
      {funds.isLoading && <Skeleton rows={2} />}
      {funds.data && (
        <dl class="facts">
          <div>
            <dt>{t.balance}</dt>
            <dd>
              <Money {...funds.data.balance} />
            </dd>
          </div>
          <div>
            <dt>{t.held}</dt>
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
  const t = messages();
  const list = useResource('/domains', { query: { limit: shownNames, customer_id: customerId } });
  return (
    <Card
      title={t.domains}
      actions={
        <ButtonLink small href={`/app/domains?customer=${customerId}`}>
          {t.allDomains}
        </ButtonLink>
      }
    >
      <Table
        label={t.domains}
        rows={list.data}
        keyOf={(row) => row.domain_id}
        error={list.error}
        onRetry={list.refetch}
        empty={<Empty title={t.noDomains} />}
        columns={[
          {
            key: 'name',
            title: t.name,
            isTitle: true,
            cell: (row) => (
              <a href={`/app/domains/${row.domain_name}`}>
                <DomainName name={row.domain_name} />
              </a>
            ),
          },
          { key: 'status', title: t.status, cell: (row) => <Status of={row} /> },
          { key: 'expiry', title: t.expires, cell: (row) => <Moment at={row.expiry_date ?? ''} /> },
        ]}
      />
    </Card>
  );
}

function Contacts({ customerId }: { readonly customerId: string }) {
  const t = messages();
  const list = useResource('/customers/{customer_id}/contacts', {
    path: { customer_id: customerId },
    query: { limit: 25 },
  });
  return (
    <Card title={t.contacts}>
      <Table
        label={t.contacts}
        rows={list.data}
        keyOf={(row) => row.contact_id}
        error={list.error}
        onRetry={list.refetch}
        empty={<Empty title={t.noContacts}>{t.noContactsText}</Empty>}
        columns={[
          { key: 'name', title: t.name, isTitle: true, cell: (row) => row.name },
          { key: 'company', title: t.company, cell: (row) => row.company },
          { key: 'email', title: t.email, cell: (row) => row.email },
          { key: 'phone', title: t.telephone, cell: (row) => row.phone.replace('.', ' ') },
          { key: 'id', title: t.id, cell: (row) => <code>{row.contact_id}</code> },
        ]}
      />
    </Card>
  );
}

export default function CustomerPage() {
  const t = messages();
  const customerId = useRoute().params.id ?? '';
  const resource = useResource('/customers/{customer_id}', { path: { customer_id: customerId } });
  const of = resource.data;
  return (
    <>
      <PageHead
        title={of?.name ?? t.customers}
        lead={of && <Badge tone={of.status === 'Active' ? 'good' : 'warn'}>{t.statuses[of.status]}</Badge>}
        actions={<CopyCurl method="get" address={`/v1/customers/${customerId}`} />}
      />
      {resource.error && <ErrorBanner error={resource.error} onRetry={resource.refetch} />}
      {resource.isLoading && <Skeleton />}
      {of && (
        <>
          <div class="columns">
            <div class="stack">
              <Access customerId={of.customer_id} />
              {may('billing:read') && <Balance of={of} />}
            </div>
            <CustomerDetails of={of} />
          </div>
          {may('domains:read') && <Names customerId={of.customer_id} />}
          {may('contacts:read') && <Contacts customerId={of.customer_id} />}
        </>
      )}
    </>
  );
}
