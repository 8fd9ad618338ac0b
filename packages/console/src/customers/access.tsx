import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { ResponseBody, Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Dialog } from '../components/dialog.tsx';
import { EditConflict } from '../components/edit-conflict.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Facts } from '../components/facts.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Moment } from '../components/moment.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { invalidate, useResource, versionOf } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { may } from '../session/current-session.ts';
import { messages } from './messages.ts';

type Level = Schema<'CustomerAccess'>['access'];
type Invitation = ResponseBody<'/customers/{customer_id}/invitation', 'post'>;

const levels: readonly Level[] = ['none', 'read', 'dns', 'manage', 'order'];

/** Portal access of a customer, with invitations. */
export function Access({ customerId }: { readonly customerId: string }) {
  const t = messages();
  const path = { customer_id: customerId };
  const access = useResource('/customers/{customer_id}/access', { path });
  // Held here so that the password, shown only once, stays visible when the access data reloads.
  const [invitation, setInvitation] = useState<Invitation>();
  return (
    <>
      {access.data ? (
        <Level
          customerId={customerId}
          level={access.data.access}
          version={versionOf(access)}
          onInvited={setInvitation}
        />
      ) : (
        <Card title={t.access}>
          {access.error ? <ErrorBanner error={access.error} onRetry={access.refetch} /> : <Skeleton />}
        </Card>
      )}
      {invitation && <InvitationLink of={invitation} onDone={() => setInvitation(undefined)} />}
    </>
  );
}

interface Props {
  readonly customerId: string;
  readonly level: Level;
  readonly version: string | undefined;
  readonly onInvited: (invitation: Invitation) => void;
}

function Level({ customerId, level, version, onInvited }: Props) {
  const t = messages();
  const path = { customer_id: customerId };
  const draft = useChangeDraft<Level>(`customers/${customerId}/access`, level, version);
  const chosen = draft.value;
  const [email, setEmail] = useState('');
  const { busy, error, perform } = useSubmit(undefined, `/customers/${customerId}/access`);
  const save = () =>
    perform(async () => {
      const body = { access: chosen, ...(email === '' ? {} : { email }) };
      await call('put', '/customers/{customer_id}/access', { path, body }, ifMatch(draft));
      setEmail('');
      toast(t.saved);
      await invalidate(`/customers/${customerId}/access`);
      draft.clear();
    });
  const invite = () =>
    perform(async () => onInvited((await call('post', '/customers/{customer_id}/invitation', { path })).body));
  if (!may('customers:write'))
    return (
      <Card title={t.access}>
        <p>
          <strong>{t.levels[level]}</strong>. {t.levelText[level]}
        </p>
      </Card>
    );
  return (
    <Card title={t.access}>
      <Form onSubmit={() => void save()} error={draft.others ? undefined : error} labels={{ access: t.level }}>
        <EditConflict draft={draft} of={[{ label: t.level, text: (of) => t.levels[of] }]} />
        <SelectField
          name="access"
          label={t.level}
          hint={t.levelText[chosen]}
          value={chosen}
          choices={levels.map((value) => ({ value, label: t.levels[value] }))}
          onChoice={(value) => draft.set(value as Level)}
        />
        {error?.fields.some(({ field }) => field === 'email') && (
          <TextField name="email" label={t.confirmEmail} hint={t.confirmEmailHint} value={email} onText={setEmail} />
        )}
        <div class="actions">
          <Button
            kind={chosen === level ? 'plain' : chosen === 'none' ? 'danger' : 'primary'}
            type="submit"
            disabled={chosen === level || !!draft.others}
            busy={busy}
          >
            {chosen === 'none' && chosen !== level ? t.removeAccess : t.saveLevel}
          </Button>
          <Button disabled={level === 'none'} busy={busy} onClick={() => void invite()}>
            {t.invite}
          </Button>
        </div>
      </Form>
      <p class="faint">{level === 'none' ? t.inviteFirst : t.inviteText}</p>
    </Card>
  );
}

/** Shows the temporary password once. Only its button closes it. */
function InvitationLink({ of, onDone }: { readonly of: Invitation; readonly onDone: () => void }) {
  const t = messages();
  const rows = [
    [t.page, <CopyText key="p" text={`${location.origin}${of.page}`} />],
    [t.email, <CopyText key="e" text={of.email} />],
    [t.tempPassword, <CopyText key="t" text={of.temp_password} />],
    [t.until, <Moment key="u" at={of.expires_at} withTime />],
  ] as const;
  const text = [
    `${t.page}: ${location.origin}${of.page}`,
    `${t.email}: ${of.email}`,
    `${t.tempPassword}: ${of.temp_password}`,
  ].join('\n');
  const copyAll = () => navigator.clipboard.writeText(text).then(() => toast(common().copied));
  return (
    <Dialog title={t.invitationTitle}>
      <p>{t.invitationText}</p>
      <Facts rows={rows} />
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          {t.done}
        </Button>
        <Button icon="copy" onClick={() => void copyAll()}>
          {t.copyAll}
        </Button>
      </div>
    </Dialog>
  );
}
