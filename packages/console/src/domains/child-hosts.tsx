import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Table } from '../components/table.tsx';
import { StepLine } from '../operations/step-line.tsx';
import { may } from '../session/current-session.ts';
import { useChange } from './change.ts';
import { messages } from './messages.ts';
import { removal } from './removal.tsx';

type Child = Schema<'ChildHost'>;

interface Props {
  readonly domain: Schema<'DomainDetail'>;
  readonly children: readonly Child[];
}

/** The full host name of a label or of a name inside the domain, with or without a final dot. */
function fullHost(typed: string, name: string): string {
  const host = typed.trim().toLowerCase().replace(/\.$/, '');
  return host === name || host.endsWith(`.${name}`) ? host : `${host}.${name}`;
}

/** Nameservers inside the domain, with their addresses at the registry. */
export function Children({ domain, children }: Props) {
  const t = messages();
  const change = useChange();
  const [host, setHost] = useState('');
  const [address, setAddress] = useState('');
  const path = { domain_id: domain.domain_id };
  const full = fullHost(host, domain.domain_name);
  const add = async () => {
    const body = { hostname: full, ip_address: address.trim() };
    if (!(await change.run((options) => call('post', '/domains/{domain_id}/childns', { path, body }, options)))) return;
    setHost('');
    setAddress('');
  };
  const remove = ({ hostname, ip }: Child) =>
    change.run((options) =>
      call(
        'delete',
        '/domains/{domain_id}/childns/{old_hostname}/{old_ip_address}',
        { path: { ...path, old_hostname: hostname, old_ip_address: ip } },
        options,
      ),
    );
  const isWriter = may('domains:write');
  return (
    <Card title={t.children}>
      <p class="faint">{t.childrenText}</p>
      {children.length > 0 && (
        <Table
          label={t.children}
          rows={children}
          keyOf={({ hostname, ip }) => `${hostname} ${ip}`}
          empty={null}
          columns={[
            { key: 'host', title: t.host, isTitle: true, cell: ({ hostname }) => hostname },
            { key: 'ip', title: t.address, cell: ({ ip }) => <code>{ip}</code> },
            ...removal<Child>(
              ({ hostname, ip }) => `${hostname} ${ip}`,
              t.removeHostText,
              (row) => void remove(row),
            ),
          ]}
        />
      )}
      {isWriter && (
        <Form onSubmit={() => void add()} error={change.error} labels={{ hostname: t.host, ip_address: t.address }}>
          <TextField
            name="hostname"
            label={t.host}
            hint={host ? full : `ns1.${domain.domain_name}`}
            value={host}
            onText={setHost}
          />
          <TextField name="ip_address" label={t.address} value={address} onText={setAddress} />
          <div class="actions">
            <Button type="submit" busy={change.busy} disabled={host.trim() === '' || address.trim() === ''}>
              {t.addHost}
            </Button>
          </div>
        </Form>
      )}
      {change.operationId && <StepLine id={change.operationId} />}
    </Card>
  );
}
