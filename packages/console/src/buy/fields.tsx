import { type Assigned, ContactRoles, nobody } from '../contacts/choose.tsx';
import { ChooseCustomer } from '../customers/choose.tsx';
import { useResource } from '../data/resource.ts';
import { Card } from '../parts/card.tsx';
import { Checkbox, SelectField, TextArea } from '../parts/field.tsx';
import { isCustomer } from '../session/who.ts';
import type { Basket, Bill, Mode } from './basket.ts';
import { words } from './words.ts';

interface Given {
  readonly basket: Basket;
  /** What is typed, and nothing else: an answer that comes late must not take back what was typed since. */
  readonly onBasket: (change: Partial<Basket>) => void;
}

/** Whose names they will be; the same for what is registered and for what is transferred in. */
export type Party = Pick<Basket, 'customerId' | 'customerName' | 'contacts' | 'bill'>;

/** Whose the names will be, who stands in the registers, and who is billed. */
export function ForWhom({
  basket,
  onBasket,
  onContacts,
}: {
  readonly basket: Party;
  readonly onBasket: (change: Partial<Party>) => void;
  readonly onContacts: (customerId: string, change: (before: Assigned) => Assigned) => void;
}) {
  const w = words();
  return (
    <Card title={w.forWhom}>
      <div class="form">
        {!isCustomer() && (
          <ChooseCustomer value={basket} onChoice={(chosen) => onBasket({ ...chosen, contacts: nobody })} />
        )}
        {basket.customerId !== '' && (
          <ContactRoles
            key={basket.customerId}
            customerId={basket.customerId}
            value={basket.contacts}
            onValue={(change) => onContacts(basket.customerId, change)}
          />
        )}
        {!isCustomer() && (
          <SelectField
            name="invoice_option"
            label={w.bill}
            value={basket.bill}
            choices={Object.entries(w.bills).map(([value, label]) => ({ value, label }))}
            onChoice={(bill) => onBasket({ bill: bill as Bill })}
          />
        )}
      </div>
    </Card>
  );
}

/** Nameservers, privacy protection, and what happens at the end. */
export function Beginning({
  basket,
  onBasket,
  withoutPrivacy,
}: Given & { readonly withoutPrivacy: readonly string[] }) {
  const w = words();
  const path = { customer_id: basket.customerId };
  const usual = useResource('/customers/{customer_id}/ns/default', basket.customerId ? { path } : undefined);
  const hosts = Object.values(usual.data ?? {}).join(', ');
  return (
    <Card title={w.settings}>
      <div class="form">
        <TextArea
          name="ns"
          label={w.nameservers}
          hint={w.nameserversHint(hosts)}
          isOptional
          rows={3}
          value={basket.nameservers}
          onText={(nameservers) => onBasket({ nameservers })}
        />
        <Checkbox
          name="purchase_privacy_protection"
          label={w.privacy}
          hint={withoutPrivacy.length > 0 ? w.noPrivacy(withoutPrivacy.join(', ')) : w.privacyHint}
          checked={basket.withPrivacy}
          onChange={(withPrivacy) => onBasket({ withPrivacy })}
        />
        <SelectField
          name="renewal_mode"
          label={w.mode}
          value={basket.mode}
          choices={Object.entries(w.modes)
            .filter(([value]) => !isCustomer() || value !== 'delete')
            .map(([value, label]) => ({ value, label }))}
          onChoice={(mode) => onBasket({ mode: mode as Mode | '' })}
        />
      </div>
    </Card>
  );
}
