import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { AnswerOf, Shape } from '../api/shapes.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { changed, useResource, versionOf } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Waiting } from '../parts/empty.tsx';
import { SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Meanwhile } from '../parts/meanwhile.tsx';
import { Moment } from '../parts/moment.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { words } from './words.ts';

type Level = Shape<'CustomerAccess'>['access'];
type Invitation = AnswerOf<'/customers/{customer_id}/invitation', 'post'>;

const levels: readonly Level[] = ['none', 'read', 'dns', 'manage', 'order'];

/** How far a customer looks after itself, and the way in. */
export function Access({ customerId }: { readonly customerId: string }) {
  const w = words();
  const path = { customer_id: customerId };
  const said = useResource('/customers/{customer_id}/access', { path });
  // Here, where it stays until it is handed over: the password is shown this once, whatever is changed or asked again meanwhile.
  const [invitation, setInvitation] = useState<Invitation>();
  return (
    <>
      {said.data ? (
        <Level customerId={customerId} level={said.data.access} version={versionOf(said)} onInvited={setInvitation} />
      ) : (
        <Card title={w.access}>
          {said.trouble ? <TroubleNote trouble={said.trouble} onAgain={said.again} /> : <Waiting />}
        </Card>
      )}
      {invitation && <HandOver of={invitation} onDone={() => setInvitation(undefined)} />}
    </>
  );
}

interface Given {
  readonly customerId: string;
  readonly level: Level;
  readonly version: string | undefined;
  readonly onInvited: (invitation: Invitation) => void;
}

function Level({ customerId, level, version, onInvited }: Given) {
  const w = words();
  const path = { customer_id: customerId };
  const draft = useChangeDraft<Level>(`customers/${customerId}/access`, level, version);
  const chosen = draft.value;
  const { busy, trouble, act } = useAct(undefined, `/customers/${customerId}/access`);
  const save = () =>
    act(async () => {
      await call('put', '/customers/{customer_id}/access', { path, body: { access: chosen } }, ifMatch(draft));
      toast(w.saved);
      await changed(`/customers/${customerId}/access`);
      draft.clear();
    });
  const invite = () =>
    act(async () => onInvited((await call('post', '/customers/{customer_id}/invitation', { path })).body));
  if (!may('customers:write'))
    return (
      <Card title={w.access}>
        <p>
          <strong>{w.levels[level]}</strong>. {w.levelText[level]}
        </p>
      </Card>
    );
  return (
    <Card title={w.access}>
      <Form onSubmit={() => void save()} trouble={draft.others ? undefined : trouble} labels={{ access: w.level }}>
        <Meanwhile draft={draft} of={[{ label: w.level, text: (of) => w.levels[of] }]} />
        <SelectField
          name="access"
          label={w.level}
          hint={w.levelText[chosen]}
          value={chosen}
          choices={levels.map((value) => ({ value, label: w.levels[value] }))}
          onChoice={(value) => draft.set(value as Level)}
        />
        <div class="actions">
          <Button
            kind={chosen === level ? 'plain' : 'primary'}
            type="submit"
            disabled={chosen === level || !!draft.others}
            busy={busy}
          >
            {w.saveLevel}
          </Button>
          <Button disabled={level === 'none'} busy={busy} onClick={() => void invite()}>
            {w.invite}
          </Button>
        </div>
      </Form>
      <p class="faint">{level === 'none' ? w.inviteFirst : w.inviteText}</p>
    </Card>
  );
}

/** The one time that the password is seen. Left by its button only. */
function HandOver({ of, onDone }: { readonly of: Invitation; readonly onDone: () => void }) {
  const w = words();
  const rows = [
    [w.page, <CopyText key="p" text={`${location.origin}${of.page}`} />],
    [w.email, <CopyText key="e" text={of.email} />],
    [w.tempPassword, <CopyText key="t" text={of.temp_password} />],
    [w.until, <Moment key="u" at={of.expires_at} withTime />],
  ] as const;
  return (
    <Dialog title={w.invited}>
      <p>{w.invitedText}</p>
      <dl class="facts">
        {rows.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          {w.done}
        </Button>
      </div>
    </Dialog>
  );
}
