import { useState } from 'preact/hooks';
import { call, type Manner } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { useDraft } from '../data/draft.ts';
import { useResource } from '../data/resource.ts';
import { type Change, useChange } from '../domains/change.ts';
import { hostsIn as addressesIn } from '../domains/hosts.ts';
import { removal } from '../domains/removal.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { Checkbox, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Light } from '../parts/light.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { words } from './words.ts';

type Forward = Shape<'MailForward'>;

const kinds = { live: 'good', waiting_dns: 'half', waiting_target: 'half', blocked: 'bad', off: 'none' } as const;
const targetKinds = { confirmed: 'good', waiting: 'half', stopped: 'bad', failing: 'bad', lapsed: 'none' } as const;

/** Who gets the mail, and whether they said yes to it; who has not can be asked once more. */
function Targets({
  of,
  onResend,
}: {
  readonly of: Forward;
  readonly onResend: ((address: string) => void) | undefined;
}) {
  const w = words();
  return (
    <ul class="targets">
      {of.targets.map(({ address, state }) => (
        <li key={address}>
          <span>{address}</span> <Light kind={targetKinds[state]}>{w.targets[state]}</Light>
          {state === 'waiting' && onResend && (
            <Button small aria-label={`${w.resend} ${address}`} onClick={() => onResend(address)}>
              {w.resend}
            </Button>
          )}
        </li>
      ))}
      {of.targets.length === 0 && <li class="faint">{w.refused}</li>}
    </ul>
  );
}

type Whole = Shape<'MailForwarding'>;
const stsKinds = { off: 'none', testing: 'half', enforce: 'good', none: 'half' } as const;

const asLine = ({ name, type, records }: Whole['dns']['records'][number]) =>
  records.map((each) => `${name} ${type} ${each}`);

/** What senders of mail find: hosts, records, and whether they are asked for TLS. */
function MailFacts({ whole }: { readonly whole: Whole }) {
  const w = words();
  const { dns, mta_sts: sts, receive_only: isReceiveOnly } = whole;
  const hosts = dns.records.filter(({ type }) => type === 'MX').flatMap(({ records }) => records);
  const lines = (of: readonly string[]) => (
    <ul class="zone-lines">
      {of.map((each) => (
        <li key={each}>
          <code>{each}</code>
        </li>
      ))}
    </ul>
  );
  return (
    <Facts
      rows={[
        [w.hosts, hosts.map((each) => each.replace(/^\d+ /, '').replace(/\.$/, '')).join(', ') || '–'],
        [
          w.sts,
          <div key="sts">
            <Light kind={stsKinds[sts]}>{w.stsStates[sts]}</Light>
            <p class="faint">{w.stsText[sts]}</p>
          </div>,
        ],
        [w.sending, isReceiveOnly ? w.receiveOnly : w.maySend],
        [w.records, lines(dns.records.flatMap(asLine))],
        ...(dns.displaced.length > 0 ? [[w.displaced, lines(dns.displaced.flatMap(asLine))] as const] : []),
      ]}
    />
  );
}

const emptyForward = { local: '', to: '', isReplacing: false };

function Add({ name, change }: { readonly name: string; readonly change: Change }) {
  const w = words();
  const draft = useDraft(`domains/${name}/email_forwarding/new`, emptyForward);
  const { local, to, isReplacing } = draft.value;
  const email = local.includes('@') ? local.trim() : `${local.trim()}@${name}`;
  const submit = async () => {
    const body = { email, forward_to: addressesIn(to), ...(isReplacing ? { replace_records: true } : {}) };
    const act = (manner: Manner) =>
      call('post', '/domains/{domain_id}/email_forwarding', { path: { domain_id: name }, body }, manner);
    const sent = draft.value;
    if (await change.run(act)) draft.settle(sent);
  };
  return (
    <Form onSubmit={() => void submit()} trouble={change.trouble} labels={{ email: w.address, forward_to: w.to }}>
      <TextField
        name="email"
        label={w.address}
        hint={local ? email : `info@${name}`}
        value={local}
        onText={(text) => draft.put({ local: text })}
      />
      <TextField
        name="forward_to"
        label={w.to}
        hint={w.toHint}
        value={to}
        onText={(text) => draft.put({ to: text })}
        spellcheck={false}
      />
      <Checkbox
        name="replace_records"
        label={w.replaceMx}
        hint={w.replaceText}
        checked={isReplacing}
        onChange={(is) => draft.put({ isReplacing: is })}
      />
      <div class="actions">
        <Button kind="primary" type="submit" busy={change.busy} disabled={local.trim() === '' || to.trim() === ''}>
          {w.addAddress}
        </Button>
      </div>
    </Form>
  );
}

function CatchAll({ name }: { readonly name: string }) {
  const w = words();
  const path = { domain_id: name };
  const said = useResource('/domains/{domain_id}/email_forwarding/catch_all', { path });
  const [typed, setTyped] = useState<string>();
  const change = useChange();
  const value = typed ?? said.data?.email ?? '';
  const submit = async () => {
    const body = { email: value.trim() };
    const act = (manner: Manner) =>
      call('put', '/domains/{domain_id}/email_forwarding/catch_all', { path, body }, manner);
    if (!(await change.run(act))) return;
    setTyped(undefined);
    toast(w.saved);
  };
  if (!said.data) return null;
  return (
    <Form onSubmit={() => void submit()} trouble={change.trouble} labels={{ email: w.catchAll }}>
      <TextField
        name="email"
        label={w.catchAll}
        hint={said.data.email ? w.mailStates[said.data.status] : w.catchAllText}
        isOptional
        value={value}
        onText={setTyped}
        spellcheck={false}
      />
      <div class="actions">
        <Button type="submit" busy={change.busy} disabled={value.trim() === said.data.email}>
          {w.save}
        </Button>
      </div>
    </Form>
  );
}

/** Mail addresses of the name that lead to others. Nobody gets mail who has not said yes to it. */
export function Mail({ name }: { readonly name: string }) {
  const w = words();
  const path = { domain_id: name };
  const said = useResource('/domains/{domain_id}/email_forwarding', { path });
  const whole = useResource('/domains/{domain_id}/mail_forwarding', { path });
  const asked = useResource('/mail_targets', { query: { state: 'waiting', limit: 100 } });
  const adding = useChange();
  const change = useChange();
  const isWriter = may('domains:write');
  const remove = ({ email }: Forward) =>
    change.run((manner) =>
      call('delete', '/domains/{domain_id}/email_forwarding/{email}', { path: { ...path, email } }, manner),
    );
  const resend = async (address: string) => {
    const target = asked.data?.find((each) => each.address === address);
    if (!target) return;
    const inputs = { path: { mail_target_id: target.mail_target_id } };
    if (await change.run((manner) => call('post', '/mail_targets/{mail_target_id}/resend', inputs as never, manner)))
      toast(w.resent);
  };
  return (
    <Card title={w.mail}>
      <p class="faint">{w.mailText}</p>
      {whole.data?.dns.state === 'elsewhere' && whole.data.addresses > 0 && <p class="note warn">{w.elsewhere}</p>}
      {change.trouble && <TroubleNote trouble={change.trouble} />}
      <Table
        label={w.mail}
        rows={said.data}
        keyOf={({ email }) => email}
        trouble={said.trouble}
        onAgain={said.again}
        empty={<p>{w.noAddresses}</p>}
        columns={[
          { key: 'email', title: w.address, isTitle: true, cell: (row) => row.email },
          {
            key: 'to',
            title: w.to,
            cell: (row) => <Targets of={row} onResend={isWriter ? (address) => void resend(address) : undefined} />,
          },
          {
            key: 'state',
            title: w.state,
            cell: (row) => (
              <>
                <Light kind={kinds[row.status]}>{w.mailStates[row.status]}</Light>
                {row.reason && <p class="faint">{row.reason}</p>}
              </>
            ),
          },
          ...removal<Forward>(
            ({ email }) => email,
            (row) => void remove(row),
          ),
        ]}
      />
      {whole.data && whole.data.addresses > 0 && <MailFacts whole={whole.data} />}
      {isWriter && <Add name={name} change={adding} />}
      {isWriter && said.data && said.data.length > 0 && <CatchAll name={name} />}
    </Card>
  );
}
