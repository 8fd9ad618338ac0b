import { useState } from 'preact/hooks';
import { type CallOptions, call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Facts } from '../components/facts.tsx';
import { Checkbox, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import { Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { useDraft } from '../data/draft.ts';
import { useResource } from '../data/resource.ts';
import { type Change, useChange } from '../domains/change.ts';
import { hostsIn as addressesIn } from '../domains/hosts.ts';
import { removal } from '../domains/removal.tsx';
import { asSentence, translated } from '../messages/sentence.ts';
import { may } from '../session/current-session.ts';
import { namingCheckbox } from './in-the-way.ts';
import { messages } from './messages.ts';

type Forward = Schema<'MailForward'>;

const kinds = { live: 'good', waiting_dns: 'warning', waiting_target: 'warning', blocked: 'bad', off: 'none' } as const;
const targetKinds = { confirmed: 'good', waiting: 'warning', stopped: 'bad', failing: 'bad', lapsed: 'none' } as const;

/** Recipients with their confirmation. Unconfirmed recipients can get the email again. */
function Targets({
  of,
  onResend,
}: {
  readonly of: Forward;
  readonly onResend: ((address: string) => void) | undefined;
}) {
  const t = messages();
  return (
    <ul class="targets">
      {of.targets.map(({ address, state }) => (
        <li key={address}>
          <span>{address}</span> <StatusIcon kind={targetKinds[state]}>{t.targets[state]}</StatusIcon>
          {state === 'waiting' && onResend && (
            <Button small aria-label={`${t.resend} ${address}`} onClick={() => onResend(address)}>
              {t.resend}
            </Button>
          )}
        </li>
      ))}
      {of.targets.length === 0 && <li class="faint">{t.refused}</li>}
    </ul>
  );
}

type MailForwarding = Schema<'MailForwarding'>;
const stsKinds = { off: 'none', testing: 'warning', enforce: 'good', none: 'warning' } as const;

const asLine = ({ name, type, records }: MailForwarding['dns']['records'][number]) =>
  records.map((each) => `${name} ${type} ${each}`);

/** Whether the zone has an SPF record (RFC 7208 section 4.5). Unknown if the zone is elsewhere or may not be read. */
function Sending({ name }: { readonly name: string }) {
  const t = messages();
  const inputs = { path: { domain_id: name }, query: { name: '@', type: 'TXT' } };
  const { data } = useResource('/domains/{domain_id}/zone/rrsets', may('dns:read') ? inputs : undefined);
  const hasSpf = data?.rrsets.some(({ records }) => records.some((each) => /^"?v=spf1(?=[" ]|$)/i.test(each)));
  if (hasSpf === undefined) return <>{t.canSend.unknown}</>;
  if (hasSpf) return <>{t.canSend.own}</>;
  return <a href={`/app/domains/${name}/dns`}>{t.canSend.none}</a>;
}

/** Mail servers, DNS records and the TLS policy. */
function MailFacts({ forwarding }: { readonly forwarding: MailForwarding }) {
  const t = messages();
  const { dns, mta_sts: sts, receive_only: isReceiveOnly } = forwarding;
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
        [t.hosts, hosts.map((each) => each.replace(/^\d+ /, '').replace(/\.$/, '')).join(', ') || '–'],
        [
          t.sts,
          <div key="sts">
            <StatusIcon kind={stsKinds[sts]}>{t.stsStates[sts]}</StatusIcon>
            <p class="faint">{t.stsText[sts]}</p>
          </div>,
        ],
        [t.sending, isReceiveOnly ? t.receiveOnly : <Sending key="sending" name={forwarding.domain_name} />],
        [t.records, lines(dns.records.flatMap(asLine))],
        ...(dns.displaced.length > 0 ? [[t.replacedRecords, lines(dns.displaced.flatMap(asLine))] as const] : []),
      ]}
    />
  );
}

const emptyForward = { local: '', to: '', isReplacing: false };

function Add({ name, change }: { readonly name: string; readonly change: Change }) {
  const t = messages();
  const draft = useDraft(`domains/${name}/email_forwarding/new`, emptyForward);
  const { local, to, isReplacing } = draft.value;
  const email = local.includes('@') ? local.trim() : `${local.trim()}@${name}`;
  const submit = async () => {
    const body = { email, forward_to: addressesIn(to), ...(isReplacing ? { replace_records: true } : {}) };
    const act = (options: CallOptions) =>
      call('post', '/domains/{domain_id}/email_forwarding', { path: { domain_id: name }, body }, options);
    const sent = draft.value;
    if (await change.run(act)) draft.settle(sent);
  };
  return (
    <Form
      onSubmit={() => void submit()}
      error={namingCheckbox(change.error, t.replaceMx)}
      labels={{ email: t.address, forward_to: t.to }}
    >
      <TextField
        name="email"
        label={t.address}
        hint={local ? email : `info@${name}`}
        value={local}
        onText={(text) => draft.put({ local: text })}
      />
      <TextField
        name="forward_to"
        label={t.to}
        hint={t.toHint}
        value={to}
        onText={(text) => draft.put({ to: text })}
        spellcheck={false}
      />
      <Checkbox
        name="replace_records"
        label={t.replaceMx}
        hint={t.replaceText}
        checked={isReplacing}
        onChange={(is) => draft.put({ isReplacing: is })}
      />
      <div class="actions">
        <Button kind="primary" type="submit" busy={change.busy} disabled={local.trim() === '' || to.trim() === ''}>
          {t.addAddress}
        </Button>
      </div>
    </Form>
  );
}

function CatchAll({ name, isFirst }: { readonly name: string; readonly isFirst: boolean }) {
  const t = messages();
  const path = { domain_id: name };
  const resource = useResource('/domains/{domain_id}/email_forwarding/catch_all', { path });
  const [typed, setTyped] = useState<string>();
  const [isReplacing, setReplacing] = useState(false);
  const change = useChange();
  const value = typed ?? resource.data?.email ?? '';
  const submit = async () => {
    const body = { email: value.trim(), ...(isReplacing ? { replace_records: true } : {}) };
    const act = (options: CallOptions) =>
      call('put', '/domains/{domain_id}/email_forwarding/catch_all', { path, body }, options);
    if (!(await change.run(act))) return;
    setTyped(undefined);
    toast(t.saved);
  };
  if (!resource.data) return null;
  return (
    <Form
      onSubmit={() => void submit()}
      error={namingCheckbox(change.error, t.replaceMx)}
      labels={{ email: t.catchAll }}
    >
      <TextField
        name="email"
        label={t.catchAll}
        hint={resource.data.email ? t.mailStates[resource.data.status] : t.catchAllText}
        isOptional
        value={value}
        onText={setTyped}
        spellcheck={false}
      />
      {isFirst && resource.data.email === '' && value !== '' && (
        <Checkbox
          name="replace_records"
          label={t.replaceMx}
          hint={t.replaceText}
          checked={isReplacing}
          onChange={setReplacing}
        />
      )}
      <div class="actions">
        <Button type="submit" busy={change.busy} disabled={value.trim() === resource.data.email}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}

/** Email forwarding. Each recipient must confirm before mail is forwarded. */
export function Mail({ name }: { readonly name: string }) {
  const t = messages();
  const path = { domain_id: name };
  const resource = useResource('/domains/{domain_id}/email_forwarding', { path });
  const forwarding = useResource('/domains/{domain_id}/mail_forwarding', { path });
  const waiting = useResource('/mail_targets', { query: { state: 'waiting', limit: 100 } });
  const adding = useChange();
  const change = useChange();
  const isWriter = may('domains:write');
  const remove = ({ email }: Forward) =>
    change.run((options) =>
      call('delete', '/domains/{domain_id}/email_forwarding/{email}', { path: { ...path, email } }, options),
    );
  const resend = async (address: string) => {
    const target = waiting.data?.find((each) => each.address === address);
    if (!target) return;
    const inputs = { path: { mail_target_id: target.mail_target_id } };
    if (await change.run((options) => call('post', '/mail_targets/{mail_target_id}/resend', inputs as never, options)))
      toast(t.resent);
  };
  return (
    <Card title={t.mail}>
      <p class="faint">{t.mailText}</p>
      {forwarding.data?.dns.state === 'elsewhere' && forwarding.data.addresses > 0 && (
        <p class="note warn">{t.elsewhere}</p>
      )}
      {change.error && <ErrorBanner error={change.error} />}
      <Table
        label={t.mail}
        rows={resource.data}
        keyOf={({ email }) => email}
        error={resource.error}
        onRetry={resource.refetch}
        empty={<p>{t.noAddresses}</p>}
        columns={[
          { key: 'email', title: t.address, isTitle: true, cell: (row) => row.email },
          {
            key: 'to',
            title: t.to,
            cell: (row) => <Targets of={row} onResend={isWriter ? (address) => void resend(address) : undefined} />,
          },
          {
            key: 'state',
            title: t.state,
            cell: (row) => (
              <>
                <StatusIcon kind={kinds[row.status]}>{t.mailStates[row.status]}</StatusIcon>
                {row.reason && row.status !== 'waiting_target' && (
                  <p class="faint">{asSentence(translated(row.reason, t.reasons))}</p>
                )}
              </>
            ),
          },
          ...removal<Forward>(
            ({ email }) => email,
            t.removeAddressText,
            (row) => void remove(row),
          ),
        ]}
      />
      {forwarding.data && forwarding.data.addresses > 0 && <MailFacts forwarding={forwarding.data} />}
      {isWriter && <Add name={name} change={adding} />}
      {isWriter && resource.data && <CatchAll name={name} isFirst={resource.data.length === 0} />}
    </Card>
  );
}
