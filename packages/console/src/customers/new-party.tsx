import { useState } from 'preact/hooks';
import { TextField } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { useSend } from '../components/send.ts';
import { messages as contacts } from '../contacts/messages.ts';
import { emptyParty, type Party, PartyFields } from '../contacts/party-fields.tsx';
import { useDraft } from '../data/draft.ts';
import './customers.css';
import { messages } from './messages.ts';

interface Props {
  readonly title: string;
  /** The key of the draft. */
  readonly of: string;
  readonly passwordHint: string;
  /** A customer may be a person. Without a password, one that nobody knows is set. */
  readonly isCustomer?: boolean;
  /** An additional field with its initial value. */
  readonly more?: { readonly name: string; readonly label: string; readonly first: string };
  /** Creates the customer or sub-reseller and opens its page. */
  readonly make: (body: Party & { password: string }, idempotencyKey: string) => Promise<void>;
  readonly onClose: () => void;
}

/** A form for a new customer or sub-reseller. The password is not stored in the draft. */
export function NewParty({ title, of, passwordHint, isCustomer, more, make, onClose }: Props) {
  const t = messages();
  const first: Party & Record<string, string> = { ...emptyParty, ...(more && { [more.name]: more.first }) };
  const draft = useDraft(of, first);
  const [password, setPassword] = useState('');
  // Constant, because a repeated request must be equal to the first.
  const [unknown] = useState(() => crypto.randomUUID());
  const { send, ...sending } = useSend(draft);
  const submit = () => {
    const body = {
      ...draft.value,
      // The API requires a state and has this value for none.
      state: draft.value.state.trim() || 'Not Applicable',
      password: isCustomer && password === '' ? unknown : password,
    };
    return send(({ idempotencyKey }) => make(body, idempotencyKey));
  };
  const labels = { ...contacts().fields, ...(more && { [more.name]: more.label }), password: t.password };
  return (
    <FormDialog
      title={title}
      verb={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      sending={sending}
      labels={labels}
      size="large"
    >
      <div class="party-fields">
        <PartyFields value={draft.value} onValue={draft.put} isCompany={!isCustomer} />
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
          isOptional={isCustomer}
          value={password}
          onText={setPassword}
        />
      </div>
    </FormDialog>
  );
}
