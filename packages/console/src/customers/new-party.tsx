import { useState } from 'preact/hooks';
import { emptyParty, type Party, PartyFields } from '../contacts/party-fields.tsx';
import { words as contacts } from '../contacts/words.ts';
import { useDraft } from '../data/draft.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useSend } from '../parts/send.ts';
import { words as common } from '../words/words.ts';
import './customers.css';
import { words } from './words.ts';

interface Given {
  readonly title: string;
  /** What the draft is kept under. */
  readonly of: string;
  readonly passwordHint: string;
  /** A field beyond those of everybody, with what stands in it at first. */
  readonly more?: { readonly name: string; readonly label: string; readonly first: string };
  /** Makes it, and leads there. */
  readonly make: (body: Party & { password: string }, idempotencyKey: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Somebody new, with an address and a first password. The password is typed again after a reload: it is not kept. */
export function NewParty({ title, of, passwordHint, more, make, onClose }: Given) {
  const w = words();
  const first: Party & Record<string, string> = { ...emptyParty, ...(more && { [more.name]: more.first }) };
  const draft = useDraft(of, first);
  const [password, setPassword] = useState('');
  const { busy, trouble, send } = useSend(draft);
  const submit = () => send(({ idempotencyKey }) => make({ ...draft.value, password }, idempotencyKey));
  const labels = { ...contacts().fields, ...(more && { [more.name]: more.label }), password: w.password };
  return (
    <Dialog title={title} onClose={onClose} size="large">
      <Form onSubmit={() => void submit()} trouble={trouble} labels={labels}>
        <div class="party-fields">
          <PartyFields value={draft.value} onValue={draft.put} stateHint={w.stateHint} />
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
            label={w.password}
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
