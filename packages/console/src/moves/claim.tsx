import { useRef, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { ChooseCustomer, type ChosenCustomer } from '../customers/choose.tsx';
import { invalidate } from '../data/resource.ts';
import { type Contacts, ContactsField } from './contacts-field.tsx';
import { messages } from './messages.ts';

const noCustomer: ChosenCustomer = { customerId: '', customerName: '' };

function ClaimResult({ move: { domain_name: name, state } }: { readonly move: Schema<'Move'> }) {
  const t = messages();
  return (
    <div class="note good row" role="status">
      {state === 'done' ? t.movedHere(name) : t.endedInState(name, t.states[state])}
      <ButtonLink small href={`/app/domains/${name}`}>
        {t.open}
      </ButtonLink>
    </div>
  );
}

/** Takes over a domain with its auth code. The inputs are not stored because the code is secret. */
export function Claim() {
  const t = messages();
  const key = useRef(crypto.randomUUID());
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [customer, setCustomer] = useState(noCustomer);
  const [contacts, setContacts] = useState<Contacts>('oldcontact');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [taken, setTaken] = useState<Schema<'Move'>>();
  const submit = async () => {
    setBusy(true);
    setError(undefined);
    setTaken(undefined);
    const named = { domain_name: name.trim(), auth_code: code.trim() };
    const body = { ...named, customer_id: customer.customerId, default_contacts: contacts };
    try {
      const { body: move } = await call('post', '/moves', { body }, { idempotencyKey: key.current });
      key.current = crypto.randomUUID();
      setTaken(move);
      setName('');
      setCode('');
      await invalidate('/moves', '/domains', '/operations');
    } catch (cause) {
      const apiError = asApiError(cause);
      if (apiError.isRefusal) key.current = crypto.randomUUID();
      setError(apiError);
    } finally {
      setBusy(false);
    }
  };
  const isReady = name.trim() !== '' && code.trim() !== '' && customer.customerId !== '';
  return (
    <Card title={t.claim}>
      <Form
        onSubmit={() => isReady && void submit()}
        error={error}
        labels={{ domain_name: t.name, auth_code: t.code, customer_id: t.customer }}
      >
        <p>{t.claimText}</p>
        {taken && <ClaimResult move={taken} />}
        <TextField
          name="domain_name"
          label={t.name}
          value={name}
          onText={setName}
          autoComplete="off"
          spellcheck={false}
        />
        <TextField
          name="auth_code"
          label={t.code}
          hint={t.codeHint}
          value={code}
          onText={setCode}
          autoComplete="off"
          spellcheck={false}
        />
        <ChooseCustomer label={t.customer} value={customer} onChoice={setCustomer} />
        <ContactsField value={contacts} onValue={setContacts} />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!isReady}>
            {t.takeOver}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
