import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
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

/** The password is typed again after a reload: it is not kept. */
export function MakeCustomer({ onClose }: { readonly onClose: () => void }) {
  const w = words();
  const { route } = useLocation();
  const draft = useDraft<Draft>('customers/new', empty);
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const labels = labelsIn(w);
  const hints: Partial<Record<keyof Draft, string>> = { state: w.stateHint, country_code: w.countryHint };
  const submit = async () => {
    setBusy(true);
    try {
      const body = { ...draft.value, password };
      const made = await call('post', '/customers', { body }, { idempotencyKey: draft.idempotencyKey });
      draft.clear();
      await changed('/customers');
      toast(w.made(made.body.name));
      route(`/app/customers/${made.body.customer_id}`);
    } catch (error) {
      const said = asTrouble(error);
      setTrouble(said);
      if (said.isRefusal) draft.renew();
      setBusy(false);
    }
  };
  return (
    <Dialog title={w.make} onClose={onClose} size="large">
      <Form onSubmit={() => void submit()} trouble={trouble} labels={labels}>
        <div class="party-fields">
          {(Object.keys(empty) as (keyof Draft)[]).map((name) => (
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
            hint={w.passwordHint}
            value={password}
            onText={setPassword}
          />
        </div>
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {w.make}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
