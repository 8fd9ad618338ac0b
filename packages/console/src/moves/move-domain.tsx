import { useState } from 'preact/hooks';
import { type CallOptions, call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { SelectField, TextField } from '../components/field.tsx';
import { ChooseCustomer, type ChosenCustomer } from '../customers/choose.tsx';
import { useChange } from '../domains/change.ts';
import { VerbDialog } from '../domains/verb-dialog.tsx';
import { messages as common } from '../messages/common.ts';
import { currentSession } from '../session/current-session.ts';
import { type Contacts, ContactsField } from './contacts-field.tsx';
import { messages } from './messages.ts';

type Destination = 'customer' | 'reseller';

interface Props {
  readonly domain: Schema<'DomainDetail'>;
  /** Whether the domain can be offered to another account now. */
  readonly canMove: boolean;
  readonly onClose: () => void;
}

/** Account and customer ids of the receiving account. */
function Across(of: {
  readonly canMove: boolean;
  readonly resellerId: string;
  readonly onReseller: (text: string) => void;
  readonly theirs: string;
  readonly onTheirs: (text: string) => void;
}) {
  const t = messages();
  const { canMove, resellerId, onReseller, theirs, onTheirs } = of;
  return (
    <>
      {!canMove && (
        <p class="note warn" role="status">
          {t.blocked}
        </p>
      )}
      <TextField name="new_reseller_id" label={t.reseller} value={resellerId} onText={onReseller} inputMode="numeric" />
      <TextField
        name="new_customer_id"
        label={t.receivingCustomer}
        hint={t.receivingCustomerHint}
        value={theirs}
        onText={onTheirs}
        inputMode="numeric"
      />
    </>
  );
}

/** A move within the account needs one click; a move to another account requires typing the name. */
export function MoveDomain({ domain, canMove, onClose }: Props) {
  const t = messages();
  const change = useChange();
  const name = domain.domain_name;
  const [whereto, setWhereto] = useState<Destination>('customer');
  const [customer, setCustomer] = useState<ChosenCustomer>({ customerId: '', customerName: '' });
  const [resellerId, setResellerId] = useState('');
  const [theirs, setTheirs] = useState('');
  const [contacts, setContacts] = useState<Contacts>('oldcontact');
  const [typed, setTyped] = useState('');
  const isAcross = whereto === 'reseller';
  const toCustomer = isAcross ? theirs.trim() : customer.customerId;
  const body = {
    existing_customer_id: domain.customer_id,
    new_reseller_id: isAcross ? resellerId.trim() : (currentSession.value?.account.reseller_id ?? ''),
    new_customer_id: toCustomer,
    default_contacts: contacts,
  };
  const act = (options: CallOptions) =>
    call('post', '/domains/{domain_id}/move', { path: { domain_id: domain.domain_id }, body }, options);
  const isSure = !isAcross || (canMove && typed.trim().toLowerCase() === name);
  return (
    <VerbDialog
      title={t.title(name)}
      verb={isAcross ? t.offer : t.move}
      change={change}
      isDanger={isAcross}
      isReady={isSure && toCustomer !== '' && body.new_reseller_id !== ''}
      labels={{ new_customer_id: isAcross ? t.receivingCustomer : t.customer, new_reseller_id: t.reseller }}
      onSubmit={() => void change.run(act)}
      onClose={onClose}
    >
      <SelectField
        name="whereto"
        label={t.destination}
        value={whereto}
        choices={Object.entries(t.destinations).map(([value, label]) => ({ value, label }))}
        onChoice={(value) => setWhereto(value as Destination)}
      />
      {isAcross ? (
        <Across
          canMove={canMove}
          resellerId={resellerId}
          onReseller={setResellerId}
          theirs={theirs}
          onTheirs={setTheirs}
        />
      ) : (
        <ChooseCustomer name="new_customer_id" label={t.customer} value={customer} onChoice={setCustomer} />
      )}
      <ContactsField value={contacts} onValue={setContacts} />
      {isAcross ? (
        <p>{t.offerText(name)}</p>
      ) : (
        customer.customerId !== '' && <p>{t.moveText(name, customer.customerName)}</p>
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
