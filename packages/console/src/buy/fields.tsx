import { Card } from '../components/card.tsx';
import { Checkbox, SelectField, TextArea } from '../components/field.tsx';
import { type ContactAssignment, ContactRoles, nobody } from '../contacts/choose.tsx';
import { ChooseCustomer } from '../customers/choose.tsx';
import { useResource } from '../data/resource.ts';
import { isCustomer } from '../session/current-session.ts';
import type { Bill, Cart, Mode } from './cart.ts';
import { messages } from './messages.ts';

interface Props {
  readonly cart: Cart;
  /** Passes only the changed fields, so that a late response does not overwrite newer input. */
  readonly onCart: (change: Partial<Cart>) => void;
}

/** Customer, contacts and payment of an order. Registrations and transfers use the same. */
export type Party = Pick<Cart, 'customerId' | 'customerName' | 'contacts' | 'bill'>;

/** Customer, contacts and payment of the order. */
export function OrderDetails({
  cart,
  onCart,
  onContacts,
}: {
  readonly cart: Party;
  readonly onCart: (change: Partial<Party>) => void;
  readonly onContacts: (customerId: string, change: (before: ContactAssignment) => ContactAssignment) => void;
}) {
  const t = messages();
  return (
    <Card title={t.orderDetails}>
      <div class="form">
        {!isCustomer() && (
          <ChooseCustomer value={cart} onChoice={(chosen) => onCart({ ...chosen, contacts: nobody })} />
        )}
        {cart.customerId !== '' && (
          <ContactRoles
            key={cart.customerId}
            customerId={cart.customerId}
            value={cart.contacts}
            onValue={(change) => onContacts(cart.customerId, change)}
          />
        )}
        {!isCustomer() && (
          <SelectField
            name="invoice_option"
            label={t.payment}
            hint={t.paymentTexts[cart.bill]}
            value={cart.bill}
            choices={Object.entries(t.paymentOptions).map(([value, label]) => ({ value, label }))}
            onChoice={(bill) => onCart({ bill: bill as Bill })}
          />
        )}
      </div>
    </Card>
  );
}

/** Nameservers, privacy protection and renewal. */
export function DomainSettings({
  cart,
  onCart,
  withoutPrivacy,
}: Props & { readonly withoutPrivacy: readonly string[] }) {
  const t = messages();
  const path = { customer_id: cart.customerId };
  const usual = useResource('/customers/{customer_id}/ns/default', cart.customerId ? { path } : undefined);
  const hosts = Object.values(usual.data ?? {}).join(', ');
  return (
    <Card title={t.settings}>
      <div class="form">
        <TextArea
          name="ns"
          label={t.nameservers}
          hint={t.nameserversHint(hosts)}
          isOptional
          rows={3}
          value={cart.nameservers}
          onText={(nameservers) => onCart({ nameservers })}
        />
        <Checkbox
          name="purchase_privacy_protection"
          label={t.privacy}
          hint={withoutPrivacy.length > 0 ? t.noPrivacy(withoutPrivacy.join(', ')) : t.privacyHint}
          checked={cart.withPrivacy}
          onChange={(withPrivacy) => onCart({ withPrivacy })}
        />
        <SelectField
          name="renewal_mode"
          label={t.mode}
          value={cart.mode}
          choices={Object.entries(t.modes)
            .filter(([value]) => !isCustomer() || value !== 'delete')
            .map(([value, label]) => ({ value, label }))}
          onChoice={(mode) => onCart({ mode: mode as Mode | '' })}
        />
      </div>
    </Card>
  );
}
