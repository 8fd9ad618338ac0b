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
import { Checkbox } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Moment } from '../components/moment.tsx';
import { moneyText } from '../components/money.tsx';
import { toast } from '../components/toast.tsx';
import { asContactIds, type ContactAssignment, ContactRoles, roles } from '../contacts/choose.tsx';
import { messages as contactMessages } from '../contacts/messages.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { useResource, versionOf } from '../data/resource.ts';
import { StepLine } from '../operations/step-line.tsx';
import { isCustomer } from '../session/current-session.ts';
import { useChange } from './change.ts';
import './domains.css';
import { DomainHead, LockedNote } from './domain-head.tsx';
import { messages } from './messages.ts';
import { ResendVerification } from './resend-verification.tsx';

type Domain = Schema<'DomainDetail'>;
type Preview = Schema<'RegistrantChangeDryRun'>;

const rolesOf = (domain: Schema<'DomainContacts'>): ContactAssignment => ({
  registrant: domain.registrant_contact_id ?? '',
  admin: domain.admin_contact_id ?? '',
  tech: domain.tech_contact_id ?? '',
  billing: domain.billing_contact_id ?? '',
});

/** The effect of the change, before it is sent. */
function ChangePreview({ preview }: { readonly preview: Preview }) {
  const t = messages();
  const { path, confirmations, confirm_by, transfer_lock_until, fee } = preview;
  return (
    <div class="note" role="status">
      <div>
        <strong>{t.changePaths[path]}</strong>
        {confirmations.map(({ side, address }) => (
          <p key={side}>
            {t.sides[side]}: {address}
          </p>
        ))}
        {confirm_by && (
          <p>
            {t.confirmBy} <Moment at={confirm_by} withTime />
          </p>
        )}
        {transfer_lock_until && (
          <p>
            {t.lockUntil} <Moment at={transfer_lock_until} />
          </p>
        )}
        {!/^0(\.0+)?$/.test(fee.amount) && <p>{t.fee(moneyText(fee.amount, fee.currency))}</p>}
      </div>
    </div>
  );
}

interface RolesProps {
  readonly domain: Domain;
  readonly now: ContactAssignment;
  readonly version: string | undefined;
}

/** The contacts of each role as text, for comparison. */
function useRoleTexts(customerId: string) {
  const t = contactMessages();
  const known = useResource('/customers/{customer_id}/contacts', {
    path: { customer_id: customerId },
    query: { limit: 100 },
  });
  const nameOf = (id: string) => known.data?.find(({ contact_id }) => contact_id === id)?.name ?? id;
  return roles.map((role) => ({ label: t.roles[role], text: (of: ContactAssignment) => nameOf(of[role]) }));
}

function Roles({ domain, now, version }: RolesProps) {
  const t = messages();
  const draft = useChangeDraft(`domains/${domain.domain_id}/contacts`, now, version);
  const compared = useRoleTexts(domain.customer_id);
  const change = useChange();
  const [isAgent, setAgent] = useState(false);
  /** A preview applies to one choice only. */
  const [seen, setSeen] = useState<{ readonly of: string; readonly preview: Preview }>();
  const of = JSON.stringify([draft.value, isAgent]);
  const preview = seen?.of === of ? seen.preview : undefined;
  const path = { domain_id: domain.domain_id };
  const isSame = JSON.stringify(draft.value) === JSON.stringify(now);
  const canBeAgent = draft.value.registrant !== now.registrant && !isCustomer();
  const send = (isDryRun: boolean) => {
    const body = {
      ...asContactIds(draft.value),
      // Without the consent, the registrants are asked, also if the operator's default is another.
      ...(canBeAgent ? { designated_agent: isAgent } : {}),
      ...(isDryRun ? { dry_run: true } : {}),
    };
    return (options: CallOptions) =>
      call('put', '/domains/{domain_id}/contacts', { path, body }, { ...options, ...ifMatch(draft) });
  };
  const submit = async () => {
    if (!preview) {
      await change.run(async (options) => {
        const response = await send(true)(options);
        setSeen({ of, preview: response.body as Preview });
        return response;
      });
      return;
    }
    const sent = draft.value;
    if (await change.run(send(false))) {
      draft.settle(sent);
      setSeen(undefined);
      setAgent(false);
      toast(t.saved);
    }
  };
  return (
    <Card title={t.places.contacts}>
      <LockedNote domain={domain} />
      <Form onSubmit={() => void submit()} error={draft.others ? undefined : change.error}>
        <EditConflict draft={draft} of={compared} />
        <ContactRoles customerId={domain.customer_id} value={draft.value} onValue={draft.set} />
        {canBeAgent && (
          <Checkbox name="designated_agent" label={t.agent} hint={t.agentText} checked={isAgent} onChange={setAgent} />
        )}
        {preview && <ChangePreview preview={preview} />}
        <div class="actions">
          <Button kind="primary" type="submit" busy={change.busy} disabled={isSame || !!draft.others}>
            {preview ? t.changeContacts : t.previewChange}
          </Button>
          {!isSame && <Button onClick={draft.clear}>{t.undo}</Button>}
        </div>
      </Form>
      {change.operationId && <StepLine id={change.operationId} />}
    </Card>
  );
}

/** The status of the registrant's email verification. Some TLDs suspend unverified domains. */
function Verification({ domain }: { readonly domain: Domain }) {
  const t = messages();
  const path = { domain_id: domain.domain_id };
  const verification = useResource('/domains/{domain_id}/raa_verification', { path });
  const held = verification.data;
  if (!held || held.status === 'NotRequired') return null;
  return (
    <Card title={t.verification}>
      <p>
        <strong>{t.verificationStates[held.status as keyof typeof t.verificationStates] ?? held.status}</strong>
        {held.email && `: ${held.email}`}
      </p>
      {held.verify_by && (
        <p>
          {t.confirmBy} <Moment at={held.verify_by} withTime />
        </p>
      )}
      {held.status !== 'Verified' && <ResendVerification domainId={domain.domain_id} />}
    </Card>
  );
}

export default function Contacts() {
  const name = useRoute().params.name ?? '';
  const domain = useResource('/domains/{domain_id}', { path: { domain_id: name } });
  const contacts = useResource('/domains/{domain_id}/contacts', { path: { domain_id: name } });
  const known = domain.data as Domain | undefined;
  const now = contacts.data;
  const error = domain.error ?? contacts.error;
  return (
    <>
      <DomainHead
        name={name}
        at="contacts"
        actions={<CopyCurl method="get" address={`/v1/domains/${name}?fields=registrant_contact`} />}
      />
      {error && <ErrorBanner error={error} onRetry={domain.error ? domain.refetch : contacts.refetch} />}
      {(domain.isLoading || contacts.isLoading) && <Skeleton />}
      {known && now && (
        <div class="columns">
          <Roles domain={known} now={rolesOf(now)} version={versionOf(contacts)} />
          <Verification domain={known} />
        </div>
      )}
    </>
  );
}
