import { useState } from 'preact/hooks';
import { ApiError } from '../api/error.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Combobox } from '../components/combobox.tsx';
import { ConfirmTyped } from '../components/confirm-typed.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Diff } from '../components/diff.tsx';
import { Empty, Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Menu } from '../components/menu.tsx';
import { Moment, readMoment } from '../components/moment.tsx';
import { Money, moneyText } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge, StatusIcon } from '../components/status-icon.tsx';
import { Steps } from '../components/steps.tsx';
import { Pager, Table } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { toast } from '../components/toast.tsx';
import { useDraft } from '../data/draft.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { plural } from '../messages/locale.ts';

const refused = new ApiError(400, {
  code: 'invalid_argument',
  request_id: 'req_019a86f1c0de7000a0b1c2d3e4f50617',
  errors: [{ field: 'domain_name', code: 'invalid', message: 'has no dot' }],
});
const short = new ApiError(402, { code: 'insufficient_funds', message: '12.39 USD are missing', request_id: 'req_1' });
const rows = [
  { name: 'example.com', state: 'good', at: '2027-03-01 00:00:00', price: '12.39' },
  { name: 'toko-batik.co.id', state: 'warning', at: '2026-12-11 00:00:00', price: '250000.00' },
] as const;

function Forms() {
  const draft = useDraft('parts', 'example');
  const [isOn, setOn] = useState(true);
  return (
    <Card title="Form">
      <Form onSubmit={() => toast('Sent')} error={refused} labels={{ domain_name: 'Name' }}>
        <TextField name="domain_name" label="Name" hint="As typed, IDN too." value={draft.value} onText={draft.set} />
        <SelectField
          name="years"
          label="Years"
          value="1"
          choices={[{ value: '1', label: '1 year' }]}
          onChoice={() => undefined}
        />
        <Combobox
          name="customer"
          label="Customer"
          value=""
          choices={[{ value: '1', label: 'Budi' }]}
          onText={() => undefined}
          onChoice={() => undefined}
        />
        <TextArea name="comment" label="Comment" isOptional value="" onText={() => undefined} />
        <Checkbox name="lock" label="Locked" hint="The domain cannot be transferred." checked={isOn} onChange={setOn} />
        <div class="actions">
          <Button kind="primary" type="submit">
            Renew for {moneyText('12.39', 'USD')}
          </Button>
          <Button busy>Working</Button>
        </div>
      </Form>
    </Card>
  );
}

function Signs() {
  const names = useResource('/domains', { query: { limit: 1 } });
  return (
    <Card title="Signs" actions={<CopyCurl method="get" address="/v1/domains" />}>
      <p class="row">
        <StatusIcon kind="good">Served</StatusIcon>
        <StatusIcon kind="warning">Behind</StatusIcon>
        <StatusIcon kind="bad">Unreachable</StatusIcon>
        <StatusIcon kind="none">Not asked</StatusIcon>
        <Badge tone="good">Live</Badge>
        <Badge tone="warn">Expiring</Badge>
        <Badge tone="bad">Refused</Badge>
        <Badge tone="accent">New</Badge>
      </p>
      <p>
        <Money amount="1234.50" currency="USD" /> · <Moment at="2027-03-01 00:00:00" isRelative /> ·{' '}
        {plural(totalOf(names), '# name', '# names')} since {readMoment('2026-11-15 09:00:00').getUTCFullYear()} ·{' '}
        <CopyText text="op_06gxsvmka9v7qbwbdq2svf8e6g" />
      </p>
      <Steps
        label="Renewal"
        steps={[
          { key: 'placed', label: 'Placed', state: 'done', note: 'Money on hold' },
          { key: 'sent', label: 'Sent', state: 'done' },
          {
            key: 'said',
            label: 'Registry response',
            state: 'now',
            note: 'No response yet. The registry is being queried.',
          },
          { key: 'settled', label: 'Settled', state: 'ahead' },
        ]}
      />
      <Diff
        changes={[
          { key: 'a', title: 'www A', before: 'www 3600 A 192.0.2.80', after: 'www 3600 A 192.0.2.81' },
          { key: 'b', after: 'mail 3600 MX 10 mx.example.com.' },
        ]}
      />
    </Card>
  );
}

export default function Gallery() {
  const [isFetching, setFetching] = useState(false);
  return (
    <>
      <PageHead
        title="Parts"
        lead="Every part that pages are made of."
        actions={
          <>
            <ButtonLink href="/app">Home</ButtonLink>
            <Button kind="danger" onClick={() => setFetching(true)}>
              Delete
            </Button>
            <Menu label="More" items={[{ key: 'a', label: 'An action' }]}>
              More
            </Menu>
          </>
        }
      />
      <Tabs label="Parts" tabs={[{ href: '/app/parts', label: 'All', isCurrent: true, count: 2 }]} />
      <Forms />
      <Signs />
      <Card title="Table">
        <Table
          label="Names"
          rows={rows}
          keyOf={(row) => row.name}
          empty={<Empty title="No names" />}
          sort="name"
          onSort={() => undefined}
          columns={[
            { key: 'name', title: 'Name', isTitle: true, isSortable: true, cell: (row) => row.name },
            { key: 'dns', title: 'DNS', cell: (row) => <StatusIcon kind={row.state}>Served</StatusIcon> },
            { key: 'expiry', title: 'Expires', isSortable: true, cell: (row) => <Moment at={row.at} /> },
            {
              key: 'price',
              title: 'Price',
              isNumber: true,
              cell: (row) => <Money amount={row.price} currency="IDR" />,
            },
          ]}
        />
        <Pager page={2} size={10} total={35} onPage={() => undefined} />
      </Card>
      <ErrorBanner error={short} onRetry={() => undefined} />
      <Empty title="No customers yet" action={<Button kind="primary">Add one</Button>}>
        Customers own names and get their mail.
      </Empty>
      <Skeleton />
      {isFetching && (
        <ConfirmTyped
          title="Delete example.com"
          text="example.com"
          verb="Delete"
          onConfirm={() => setFetching(false)}
          onClose={() => setFetching(false)}
        >
          It goes back to the registry and can be restored for 30 days.
        </ConfirmTyped>
      )}
    </>
  );
}
