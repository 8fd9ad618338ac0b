import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call, type Manner } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { type Assigned, ContactRoles, inWire, roles } from '../contacts/choose.tsx';
import { words as contactWords } from '../contacts/words.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { useResource, versionOf } from '../data/resource.ts';
import { StepLine } from '../operations/step-line.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Checkbox } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Meanwhile } from '../parts/meanwhile.tsx';
import { Moment } from '../parts/moment.tsx';
import { moneyText } from '../parts/money.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { isCustomer, may } from '../session/who.ts';
import { useChange } from './change.ts';
import './domains.css';
import { NameHead } from './name-head.tsx';
import { words } from './words.ts';

type Domain = Shape<'DomainDetail'>;
type Preview = Shape<'HolderChangeDryRun'>;

const rolesOf = (domain: Shape<'DomainContacts'>): Assigned => ({
  registrant: domain.registrant_contact_id ?? '',
  admin: domain.admin_contact_id ?? '',
  tech: domain.tech_contact_id ?? '',
  billing: domain.billing_contact_id ?? '',
});

/** What the change would bring about, before anything is sent. */
function Seen({ preview }: { readonly preview: Preview }) {
  const w = words();
  const { path, confirmations, confirm_by, transfer_lock_until, fee } = preview;
  return (
    <div class="note" role="status">
      <div>
        <strong>{w.paths[path]}</strong>
        {confirmations.map(({ side, address }) => (
          <p key={side}>
            {w.sides[side]}: {address}
          </p>
        ))}
        {confirm_by && (
          <p>
            {w.confirmBy} <Moment at={confirm_by} withTime />
          </p>
        )}
        {transfer_lock_until && (
          <p>
            {w.lockUntil} <Moment at={transfer_lock_until} />
          </p>
        )}
        {!/^0(\.0+)?$/.test(fee.amount) && <p>{w.fee(moneyText(fee.amount, fee.currency))}</p>}
      </div>
    </div>
  );
}

interface RolesGiven {
  readonly domain: Domain;
  readonly now: Assigned;
  readonly version: string | undefined;
}

/** The roles in words, for who compares them. */
function useRoleTexts(customerId: string) {
  const w = contactWords();
  const known = useResource('/customers/{customer_id}/contacts', {
    path: { customer_id: customerId },
    query: { limit: 100 },
  });
  const nameOf = (id: string) => known.data?.find(({ contact_id }) => contact_id === id)?.name ?? id;
  return roles.map((role) => ({ label: w.roles[role], text: (of: Assigned) => nameOf(of[role]) }));
}

function Roles({ domain, now, version }: RolesGiven) {
  const w = words();
  const draft = useChangeDraft(`domains/${domain.domain_id}/contacts`, now, version);
  const compared = useRoleTexts(domain.customer_id);
  const change = useChange();
  const [isAgent, setAgent] = useState(false);
  /** Seen for exactly this choice: another one is looked at first again. */
  const [seen, setSeen] = useState<{ readonly of: string; readonly preview: Preview }>();
  const of = JSON.stringify([draft.value, isAgent]);
  const preview = seen?.of === of ? seen.preview : undefined;
  const path = { domain_id: domain.domain_id };
  const isSame = JSON.stringify(draft.value) === JSON.stringify(now);
  const send = (isDryRun: boolean) => {
    const body = {
      ...inWire(draft.value),
      ...(isAgent ? { designated_agent: true } : {}),
      ...(isDryRun ? { dry_run: true } : {}),
    };
    return (manner: Manner) =>
      call('put', '/domains/{domain_id}/contacts', { path, body }, { ...manner, ...ifMatch(draft) });
  };
  const submit = async () => {
    if (!preview) {
      await change.run(async (manner) => {
        const said = await send(true)(manner);
        setSeen({ of, preview: said.body as Preview });
        return said;
      });
      return;
    }
    const sent = draft.value;
    if (await change.run(send(false))) {
      draft.settle(sent);
      setSeen(undefined);
      setAgent(false);
      toast(w.saved);
    }
  };
  return (
    <Card title={w.places.contacts}>
      <Form onSubmit={() => void submit()} trouble={draft.others ? undefined : change.trouble}>
        <Meanwhile draft={draft} of={compared} />
        <ContactRoles customerId={domain.customer_id} value={draft.value} onValue={draft.set} />
        {draft.value.registrant !== now.registrant && !isCustomer() && (
          <Checkbox name="designated_agent" label={w.agent} hint={w.agentText} checked={isAgent} onChange={setAgent} />
        )}
        {preview && <Seen preview={preview} />}
        <div class="actions">
          <Button kind="primary" type="submit" busy={change.busy} disabled={isSame || !!draft.others}>
            {preview ? w.changeContacts : w.lookFirst}
          </Button>
          {!isSame && <Button onClick={draft.clear}>{w.undo}</Button>}
        </div>
      </Form>
      {change.operationId && <StepLine id={change.operationId} />}
    </Card>
  );
}

/** Whether the holder has confirmed the address; names go on hold without it. */
function Verification({ domain }: { readonly domain: Domain }) {
  const w = words();
  const path = { domain_id: domain.domain_id };
  const said = useResource('/domains/{domain_id}/raa_verification', { path });
  const change = useChange();
  const resend = async () => {
    const act = (manner: Manner) =>
      call('post', '/domains/{domain_id}/raa_verification/resend', { path } as never, manner);
    if (await change.run(act)) toast(w.resent);
  };
  const held = said.data;
  if (!held || held.status === 'NotRequired') return null;
  return (
    <Card title={w.verification}>
      <p>
        <strong>{w.verificationStates[held.status as keyof typeof w.verificationStates] ?? held.status}</strong>
        {held.email && `: ${held.email}`}
      </p>
      {held.verify_by && (
        <p>
          {w.confirmBy} <Moment at={held.verify_by} withTime />
        </p>
      )}
      {change.trouble && <TroubleNote trouble={change.trouble} />}
      {held.status !== 'Verified' && may('domains:write') && (
        <div class="row">
          <Button small busy={change.busy} onClick={() => void resend()}>
            {w.resend}
          </Button>
        </div>
      )}
    </Card>
  );
}

export default function Contacts() {
  const name = useRoute().params.name ?? '';
  const domain = useResource('/domains/{domain_id}', { path: { domain_id: name } });
  const contacts = useResource('/domains/{domain_id}/contacts', { path: { domain_id: name } });
  const known = domain.data as Domain | undefined;
  const now = contacts.data;
  const trouble = domain.trouble ?? contacts.trouble;
  return (
    <>
      <NameHead
        name={name}
        at="contacts"
        actions={<CopyCurl method="get" address={`/v1/domains/${name}?fields=registrant_contact`} />}
      />
      {trouble && <TroubleNote trouble={trouble} onAgain={domain.trouble ? domain.again : contacts.again} />}
      {(domain.isLoading || contacts.isLoading) && <Waiting />}
      {known && now && (
        <div class="columns">
          <Roles domain={known} now={rolesOf(now)} version={versionOf(contacts)} />
          <Verification domain={known} />
        </div>
      )}
    </>
  );
}
