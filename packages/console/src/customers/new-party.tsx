import { useState } from 'preact/hooks';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { useDraft } from '../data/draft.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { words as common } from '../words/words.ts';
import './customers.css';
import { words } from './words.ts';

const empty = {
  name: '',
  company: '',
  email: '',
  address_line_1: '',
  city: '',
  state: '',
  zipcode: '',
  country_code: '',
  tel_cc_no: '',
  tel_no: '',
};
type Draft = typeof empty;

const labelsIn = (w: ReturnType<typeof words>): Record<keyof Draft | 'password', string> => ({
  name: w.name,
  company: w.company,
  email: w.email,
  address_line_1: w.address,
  city: w.city,
  state: w.state,
  zipcode: w.zipcode,
  country_code: w.country,
  tel_cc_no: w.callingCode,
  tel_no: w.phone,
  password: w.password,
});

interface Given {
  readonly title: string;
  /** What the draft is kept under. */
  readonly of: string;
  readonly passwordHint: string;
  /** Fields beyond those of everybody, with what stands in them at first. */
  readonly more?: Readonly<Record<string, { readonly label: string; readonly first: string }>>;
  /** Makes it, and leads there. */
  readonly make: (body: Draft & { password: string }, idempotencyKey: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Somebody new, with an address and a first password. The password is typed again after a reload: it is not kept. */
export function NewParty({ title, of, passwordHint, more = {}, make, onClose }: Given) {
  const w = words();
  const first = { ...empty, ...Object.fromEntries(Object.entries(more).map(([name, each]) => [name, each.first])) };
  const draft = useDraft<Draft>(of, first);
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const added = Object.fromEntries(Object.entries(more).map(([name, { label }]) => [name, label]));
  const labels = { ...labelsIn(w), ...added };
  const hints: Partial<Record<keyof Draft, string>> = { state: w.stateHint, country_code: w.countryHint };
  const submit = async () => {
    setBusy(true);
    try {
      await make({ ...draft.value, password }, draft.idempotencyKey);
      draft.clear();
    } catch (error) {
      const said = asTrouble(error);
      setTrouble(said);
      if (said.isRefusal) draft.renew();
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose} size="large">
      <Form onSubmit={() => void submit()} trouble={trouble} labels={labels}>
        <div class="party-fields">
          {(Object.keys(first) as (keyof Draft)[]).map((name) => (
            <TextField
              key={name}
              name={name}
              type={name === 'email' ? 'email' : 'text'}
              autoComplete="off"
              label={labels[name]}
              hint={hints[name]}
              value={draft.value[name]}
              onText={(text) => draft.put({ [name]: text })}
            />
          ))}
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
