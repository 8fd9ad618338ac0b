import { useRef, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { ChooseCustomer, type ChosenCustomer } from '../customers/choose.tsx';
import { changed } from '../data/resource.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type Contacts, ContactsField } from './contacts-field.tsx';
import { words } from './words.ts';

const nobody: ChosenCustomer = { customerId: '', customerName: '' };

function Taken({ move: { domain_name: name, state } }: { readonly move: Shape<'Move'> }) {
  const w = words();
  return (
    <div class="note good row" role="status">
      {state === 'done' ? w.taken(name) : w.ended(name, w.states[state])}
      <ButtonLink small href={`/app/domains/${name}`}>
        {w.open}
      </ButtonLink>
    </div>
  );
}

/** With its code a name needs no offer. What is typed here is not kept: there is a secret in it. */
export function Claim() {
  const w = words();
  const key = useRef(crypto.randomUUID());
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [customer, setCustomer] = useState(nobody);
  const [contacts, setContacts] = useState<Contacts>('oldcontact');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const [taken, setTaken] = useState<Shape<'Move'>>();
  const submit = async () => {
    setBusy(true);
    setTrouble(undefined);
    setTaken(undefined);
    const named = { domain_name: name.trim(), auth_code: code.trim() };
    const body = { ...named, customer_id: customer.customerId, default_contacts: contacts };
    try {
      const { body: move } = await call('post', '/moves', { body }, { idempotencyKey: key.current });
      key.current = crypto.randomUUID();
      setTaken(move);
      setName('');
      setCode('');
      await changed('/moves', '/domains', '/operations');
    } catch (error) {
      const said = asTrouble(error);
      if (said.isRefusal) key.current = crypto.randomUUID();
      setTrouble(said);
    } finally {
      setBusy(false);
    }
  };
  const isReady = name.trim() !== '' && code.trim() !== '' && customer.customerId !== '';
  return (
    <Card title={w.claim}>
      <Form
        onSubmit={() => isReady && void submit()}
        trouble={trouble}
        labels={{ domain_name: w.name, auth_code: w.code, customer_id: w.customer }}
      >
        <p>{w.claimText}</p>
        {taken && <Taken move={taken} />}
        <TextField
          name="domain_name"
          label={w.name}
          value={name}
          onText={setName}
          autoComplete="off"
          spellcheck={false}
        />
        <TextField
          name="auth_code"
          label={w.code}
          hint={w.codeHint}
          value={code}
          onText={setCode}
          autoComplete="off"
          spellcheck={false}
        />
        <ChooseCustomer label={w.customer} value={customer} onChoice={setCustomer} />
        <ContactsField value={contacts} onValue={setContacts} />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!isReady}>
            {w.take}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
