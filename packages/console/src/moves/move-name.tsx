import { useState } from 'preact/hooks';
import { call, type Manner } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { ChooseCustomer, type ChosenCustomer } from '../customers/choose.tsx';
import { useChange } from '../domains/change.ts';
import { VerbDialog } from '../domains/verb-dialog.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { who } from '../session/who.ts';
import { words as common } from '../words/words.ts';
import { type Contacts, ContactsField } from './contacts-field.tsx';
import { words } from './words.ts';

type Whereto = 'customer' | 'reseller';

interface Given {
  readonly domain: Shape<'DomainDetail'>;
  /** Whether it may be offered to another account now. */
  readonly canLeave: boolean;
  readonly onClose: () => void;
}

/** Ids of the other side, which it has given. */
function Across(of: {
  readonly canLeave: boolean;
  readonly resellerId: string;
  readonly onReseller: (text: string) => void;
  readonly theirs: string;
  readonly onTheirs: (text: string) => void;
}) {
  const w = words();
  const { canLeave, resellerId, onReseller, theirs, onTheirs } = of;
  return (
    <>
      {!canLeave && (
        <p class="note warn" role="status">
          {w.blocked}
        </p>
      )}
      <TextField name="new_reseller_id" label={w.reseller} value={resellerId} onText={onReseller} inputMode="numeric" />
      <TextField
        name="new_customer_id"
        label={w.theirs}
        hint={w.theirsHint}
        value={theirs}
        onText={onTheirs}
        inputMode="numeric"
      />
    </>
  );
}

/** To another customer at a click; out of the account only after the name was typed. */
export function MoveName({ domain, canLeave, onClose }: Given) {
  const w = words();
  const change = useChange();
  const name = domain.domain_name;
  const [whereto, setWhereto] = useState<Whereto>('customer');
  const [customer, setCustomer] = useState<ChosenCustomer>({ customerId: '', customerName: '' });
  const [resellerId, setResellerId] = useState('');
  const [theirs, setTheirs] = useState('');
  const [contacts, setContacts] = useState<Contacts>('oldcontact');
  const [typed, setTyped] = useState('');
  const isAcross = whereto === 'reseller';
  const toCustomer = isAcross ? theirs.trim() : customer.customerId;
  const body = {
    existing_customer_id: domain.customer_id,
    new_reseller_id: isAcross ? resellerId.trim() : (who.value?.account.reseller_id ?? ''),
    new_customer_id: toCustomer,
    default_contacts: contacts,
  };
  const act = (manner: Manner) =>
    call('post', '/domains/{domain_id}/move', { path: { domain_id: domain.domain_id }, body }, manner);
  const isSure = !isAcross || (canLeave && typed.trim().toLowerCase() === name);
  return (
    <VerbDialog
      title={w.title(name)}
      verb={isAcross ? w.offer : w.move}
      change={change}
      isDanger={isAcross}
      isReady={isSure && toCustomer !== '' && body.new_reseller_id !== ''}
      labels={{ new_customer_id: isAcross ? w.theirs : w.customer, new_reseller_id: w.reseller }}
      onSubmit={() => void change.run(act)}
      onClose={onClose}
    >
      <SelectField
        name="whereto"
        label={w.whereto}
        value={whereto}
        choices={Object.entries(w.wheretos).map(([value, label]) => ({ value, label }))}
        onChoice={(value) => setWhereto(value as Whereto)}
      />
      {isAcross ? (
        <Across
          canLeave={canLeave}
          resellerId={resellerId}
          onReseller={setResellerId}
          theirs={theirs}
          onTheirs={setTheirs}
        />
      ) : (
        <ChooseCustomer name="new_customer_id" label={w.customer} value={customer} onChoice={setCustomer} />
      )}
      <ContactsField value={contacts} onValue={setContacts} />
      {isAcross ? (
        <p>{w.across(name)}</p>
      ) : (
        customer.customerId !== '' && <p>{w.within(name, customer.customerName)}</p>
      )}
      {isAcross && (
        <TextField
          name="typed"
          label={common().typeToConfirm(name)}
          value={typed}
          onText={setTyped}
          autoComplete="off"
          spellcheck={false}
        />
      )}
    </VerbDialog>
  );
}
