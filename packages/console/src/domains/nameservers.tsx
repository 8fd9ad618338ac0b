import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call, type Manner } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { useResource, versionOf } from '../data/resource.ts';
import { StepLine } from '../operations/step-line.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Checkbox, TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Meanwhile } from '../parts/meanwhile.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { useChange } from './change.ts';
import { Children } from './child-hosts.tsx';
import './domains.css';
import { Keys } from './ds-records.tsx';
import { hostsIn } from './hosts.ts';
import { NameHead } from './name-head.tsx';
import { words } from './words.ts';

type Domain = Shape<'DomainDetail'>;
type Child = Shape<'ChildHost'>;
type Ds = Shape<'DsRecord'>;

interface Given {
  readonly domain: Domain;
  readonly children: readonly Child[];
  readonly keys: readonly Ds[];
}

/** Hosts below the name itself need an address at the registry before the name can use them. */
const withoutAddress = (hosts: readonly string[], { domain, children }: Given) =>
  hosts.filter(
    (host) => host.endsWith(`.${domain.domain_name}`) && !children.some(({ hostname }) => hostname === host),
  );

function Hosts(given: Given & { readonly now: string; readonly version: string | undefined }) {
  const { domain, keys, now, version } = given;
  const w = words();
  const draft = useChangeDraft(`domains/${domain.domain_id}/ns`, now, version);
  const [isForced, setForced] = useState(false);
  const change = useChange();
  const path = { domain_id: domain.domain_id };
  const usual = useResource('/customers/{customer_id}/ns/default', { path: { customer_id: domain.customer_id } });
  const hosts = hostsIn(draft.value);
  const lacking = withoutAddress(hosts, given);
  const submit = async () => {
    const body = { ns: hosts, ...(isForced ? { force: true } : {}) };
    const act = (manner: Manner) =>
      call('put', '/domains/{domain_id}/ns', { path, body }, { ...manner, ...ifMatch(draft) });
    const sent = draft.value;
    if (await change.run(act)) {
      draft.settle(sent);
      toast(w.saved);
    }
  };
  return (
    <Card title={w.nameservers}>
      <Form
        onSubmit={() => void submit()}
        trouble={draft.others ? undefined : change.trouble}
        labels={{ ns: w.nameservers }}
      >
        <Meanwhile draft={draft} of={[{ label: w.nameservers, text: (hosts) => hosts.split('\n').join(', ') }]} />
        <TextArea
          name="ns"
          label={w.hosts}
          hint={lacking.length > 0 ? w.lacking(lacking.join(', ')) : w.hostsHint}
          rows={4}
          value={draft.value}
          onText={draft.set}
        />
        {keys.length > 0 && (
          <Checkbox name="force" label={w.force} hint={w.forceText} checked={isForced} onChange={setForced} />
        )}
        <div class="actions">
          <Button kind="primary" type="submit" busy={change.busy} disabled={hosts.join('\n') === now || !!draft.others}>
            {w.save}
          </Button>
          {usual.data && (
            <Button onClick={() => draft.set(Object.values(usual.data ?? {}).join('\n'))}>{w.useUsual}</Button>
          )}
          {draft.isTouched && <Button onClick={draft.clear}>{w.undo}</Button>}
        </div>
      </Form>
      {change.operationId && <StepLine id={change.operationId} />}
    </Card>
  );
}

/** One a line; where there are none the service says so with an empty one. */
const hostsOf = (said: object | undefined): string =>
  Object.values(said ?? {})
    .filter(Boolean)
    .join('\n');

export default function Nameservers() {
  const name = useRoute().params.name ?? '';
  const path = { domain_id: name };
  const domain = useResource('/domains/{domain_id}', { path });
  const children = useResource('/domains/{domain_id}/childns', { path });
  const keys = useResource('/domains/{domain_id}/dnssec', { path });
  const hosts = useResource('/domains/{domain_id}/ns', { path });
  const trouble = domain.trouble ?? children.trouble ?? keys.trouble ?? hosts.trouble;
  const known = domain.data as Domain | undefined;
  const given = known &&
    children.data &&
    keys.data &&
    hosts.data && { domain: known, children: children.data, keys: keys.data };
  return (
    <>
      <NameHead name={name} at="nameservers" actions={<CopyCurl method="get" address={`/v1/domains/${name}/ns`} />} />
      {trouble && <TroubleNote trouble={trouble} />}
      {!given && !trouble && <Waiting />}
      {given && (
        <div class="columns">
          <div class="stack">
            {may('domains:write') ? (
              <Hosts {...given} now={hostsOf(hosts.data)} version={versionOf(hosts)} />
            ) : (
              <Card title={words().nameservers}>
                <p>{given.domain.nameservers.join(', ')}</p>
              </Card>
            )}
            <Keys {...given} />
          </div>
          <Children {...given} />
        </div>
      )}
    </>
  );
}
