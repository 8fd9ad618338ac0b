import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { useSend } from '../components/send.ts';
import { messages as contacts } from '../contacts/messages.ts';
import { emptyParty, type Party, PartyFields } from '../contacts/party-fields.tsx';
import { useDraft } from '../data/draft.ts';
import { messages as common } from '../messages/common.ts';
import './customers.css';
import { messages } from './messages.ts';

interface Props {
  readonly title: string;
  /** The key of the draft. */
  readonly of: string;
  readonly passwordHint: string;
  /** An additional field with its initial value. */
  readonly more?: { readonly name: string; readonly label: string; readonly first: string };
  /** Creates the customer or sub-reseller and opens its page. */
  readonly make: (body: Party & { password: string }, idempotencyKey: string) => Promise<void>;
  readonly onClose: () => void;
}

/** A form for a new customer or sub-reseller. The password is not stored in the draft. */
export function NewParty({ title, of, passwordHint, more, make, onClose }: Props) {
  const t = messages();
  const first: Party & Record<string, string> = { ...emptyParty, ...(more && { [more.name]: more.first }) };
  const draft = useDraft(of, first);
  const [password, setPassword] = useState('');
  const { busy, error, send } = useSend(draft);
  const submit = () => send(({ idempotencyKey }) => make({ ...draft.value, password }, idempotencyKey));
  const labels = { ...contacts().fields, ...(more && { [more.name]: more.label }), password: t.password };
  return (
    <Dialog title={title} onClose={onClose} size="large">
      <Form onSubmit={() => void submit()} error={error} labels={labels}>
        <div class="party-fields">
          <PartyFields value={draft.value} onValue={draft.put} stateHint={t.stateHint} />
          {more && (
            <TextField
              name={more.name}
              autoComplete="off"
              label={more.label}
              value={draft.value[more.name] ?? ''}
              onText={(text) => draft.put({ [more.name]: text })}
            />
          )}
          <TextField
            name="password"
            type="password"
            autoComplete="new-password"
            label={t.password}
            hint={passwordHint}
            value={password}
            onText={setPassword}
          />
        </div>
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {title}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
