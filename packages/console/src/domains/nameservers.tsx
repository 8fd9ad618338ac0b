import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { type CallOptions, call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { EditConflict } from '../components/edit-conflict.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Checkbox, TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { toast } from '../components/toast.tsx';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { useResource, versionOf } from '../data/resource.ts';
import { StepLine } from '../operations/step-line.tsx';
import { may } from '../session/current-session.ts';
import { useChange } from './change.ts';
import { Children } from './child-hosts.tsx';
import './domains.css';
import { DomainHead, LockedNote } from './domain-head.tsx';
import { Keys } from './ds-records.tsx';
import { hostsIn } from './hosts.ts';
import { messages } from './messages.ts';

type Domain = Schema<'DomainDetail'>;
type Child = Schema<'ChildHost'>;
type Ds = Schema<'DsRecord'>;

interface Props {
  readonly domain: Domain;
  readonly children: readonly Child[];
  readonly keys: readonly Ds[];
}

/** Nameservers inside the domain need an address at the registry first. */
const withoutAddress = (hosts: readonly string[], { domain, children }: Props) =>
  hosts.filter(
    (host) => host.endsWith(`.${domain.domain_name}`) && !children.some(({ hostname }) => hostname === host),
  );

function Hosts(props: Props & { readonly now: string; readonly version: string | undefined }) {
  const { domain, keys, now, version } = props;
  const t = messages();
  const draft = useChangeDraft(`domains/${domain.domain_id}/ns`, now, version);
  const [isForced, setForced] = useState(false);
  const change = useChange();
  const path = { domain_id: domain.domain_id };
  const usual = useResource('/customers/{customer_id}/ns/default', { path: { customer_id: domain.customer_id } });
  const hosts = hostsIn(draft.value);
  const lacking = withoutAddress(hosts, props);
  const ours = Object.values(usual.data ?? {}).filter(Boolean);
  const isMixed = hosts.some((host) => ours.includes(host)) && !hosts.every((host) => ours.includes(host));
  const submit = async () => {
    const body = { ns: hosts, ...(isForced ? { force: true } : {}) };
    const act = (options: CallOptions) =>
      call('put', '/domains/{domain_id}/ns', { path, body }, { ...options, ...ifMatch(draft) });
    const sent = draft.value;
    if (await change.run(act)) {
      draft.settle(sent);
      toast(t.saved);
    }
  };
  return (
    <Card title={t.nameservers}>
      <LockedNote domain={domain} />
      <Form
        onSubmit={() => void submit()}
        error={draft.others ? undefined : change.error}
        labels={{ ns: t.nameservers }}
      >
        <EditConflict draft={draft} of={[{ label: t.nameservers, text: (hosts) => hosts.split('\n').join(', ') }]} />
        <TextArea
          name="ns"
          label={t.hosts}
          hint={lacking.length > 0 ? t.missingAddress(lacking.join(', ')) : isMixed ? t.mixedHosts : t.hostsHint}
          rows={4}
          value={draft.value}
          onText={draft.set}
        />
        {keys.length > 0 && (
          <Checkbox name="force" label={t.force} hint={t.forceText} checked={isForced} onChange={setForced} />
        )}
        <div class="actions">
          <Button
            kind="primary"
            type="submit"
            busy={change.busy}
            disabled={hosts.join('\n') === now || lacking.length > 0 || !!draft.others}
          >
            {t.save}
          </Button>
          {usual.data && (
            <Button
              onClick={() => {
                // The error was about the former nameservers.
                change.reset();
                draft.set(Object.values(usual.data ?? {}).join('\n'));
              }}
            >
              {t.useDefaults}
            </Button>
          )}
          {draft.isDirty && <Button onClick={draft.clear}>{t.undo}</Button>}
        </div>
      </Form>
      {change.operationId && <StepLine id={change.operationId} />}
    </Card>
  );
}

/** One per line. The API returns one empty value if there are none. */
const hostsOf = (nameservers: object | undefined): string =>
  Object.values(nameservers ?? {})
    .filter(Boolean)
    .join('\n');

export default function Nameservers() {
  const name = useRoute().params.name ?? '';
  const path = { domain_id: name };
  const domain = useResource('/domains/{domain_id}', { path });
  const children = useResource('/domains/{domain_id}/childns', { path });
  const keys = useResource('/domains/{domain_id}/dnssec', { path });
  const hosts = useResource('/domains/{domain_id}/ns', { path });
  const error = domain.error ?? children.error ?? keys.error ?? hosts.error;
  const known = domain.data as Domain | undefined;
  const props = known &&
    children.data &&
    keys.data &&
    hosts.data && { domain: known, children: children.data, keys: keys.data };
  return (
    <>
      <DomainHead name={name} at="nameservers" actions={<CopyCurl method="get" address={`/v1/domains/${name}/ns`} />} />
      {error && <ErrorBanner error={error} />}
      {!props && !error && <Skeleton />}
      {props && (
        <div class="columns">
          <div class="stack">
            {may('domains:write') ? (
              <Hosts {...props} now={hostsOf(hosts.data)} version={versionOf(hosts)} />
            ) : (
              <Card title={messages().nameservers}>
                <p>{props.domain.nameservers.join(', ')}</p>
              </Card>
            )}
            <Keys {...props} />
          </div>
          <Children {...props} />
        </div>
      )}
    </>
  );
}
