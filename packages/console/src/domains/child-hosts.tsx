import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { StepLine } from '../operations/step-line.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Table } from '../parts/table.tsx';
import { may } from '../session/who.ts';
import { useChange } from './change.ts';
import { removal } from './removal.tsx';
import { words } from './words.ts';

type Child = Shape<'ChildHost'>;

interface Given {
  readonly domain: Shape<'DomainDetail'>;
  readonly children: readonly Child[];
}

/** Hosts below the name and their addresses at the registry. */
export function Children({ domain, children }: Given) {
  const w = words();
  const change = useChange();
  const [host, setHost] = useState('');
  const [address, setAddress] = useState('');
  const path = { domain_id: domain.domain_id };
  const full = host.trim().toLowerCase().endsWith(domain.domain_name)
    ? host.trim().toLowerCase()
    : `${host.trim().toLowerCase()}.${domain.domain_name}`;
  const add = async () => {
    const body = { hostname: full, ip_address: address.trim() };
    if (!(await change.run((manner) => call('post', '/domains/{domain_id}/childns', { path, body }, manner)))) return;
    setHost('');
    setAddress('');
  };
  const remove = ({ hostname, ip }: Child) =>
    change.run((manner) =>
      call(
        'delete',
        '/domains/{domain_id}/childns/{old_hostname}/{old_ip_address}',
        { path: { ...path, old_hostname: hostname, old_ip_address: ip } },
        manner,
      ),
    );
  const isWriter = may('domains:write');
  return (
    <Card title={w.children}>
      <p class="faint">{w.childrenText}</p>
      {children.length > 0 && (
        <Table
          label={w.children}
          rows={children}
          keyOf={({ hostname, ip }) => `${hostname} ${ip}`}
          empty={null}
          columns={[
            { key: 'host', title: w.host, isTitle: true, cell: ({ hostname }) => hostname },
            { key: 'ip', title: w.address, cell: ({ ip }) => <code>{ip}</code> },
            ...removal<Child>(
              ({ hostname, ip }) => `${hostname} ${ip}`,
              (row) => void remove(row),
            ),
          ]}
        />
      )}
      {isWriter && (
        <Form onSubmit={() => void add()} trouble={change.trouble} labels={{ hostname: w.host, ip_address: w.address }}>
          <TextField
            name="hostname"
            label={w.host}
            hint={host ? full : `ns1.${domain.domain_name}`}
            value={host}
            onText={setHost}
          />
          <TextField name="ip_address" label={w.address} value={address} onText={setAddress} />
          <div class="actions">
            <Button type="submit" busy={change.busy} disabled={host.trim() === '' || address.trim() === ''}>
              {w.addHost}
            </Button>
          </div>
        </Form>
      )}
      {change.operationId && <StepLine id={change.operationId} />}
    </Card>
  );
}
