import { Card } from '../components/card.tsx';
import { Checkbox, SelectField, TextArea } from '../components/field.tsx';
import { moneyText } from '../components/money.tsx';
import { type ContactAssignment, ContactRoles, noContacts } from '../contacts/choose.tsx';
import { ChooseCustomer } from '../customers/choose.tsx';
import { useResource } from '../data/resource.ts';
import type { Quote } from '../domains/quote.ts';
import { currentSession, isCustomer, may } from '../session/current-session.ts';
import { type Bill, type Cart, type Mode, sumOf } from './cart.ts';
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
          <ChooseCustomer value={cart} onChoice={(chosen) => onCart({ ...chosen, contacts: noContacts })} />
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

/** A customer pays from the balance with the reseller. */
function FromBalance({ total }: { readonly total: string }) {
  const path = { customer_id: currentSession.value?.customer?.customer_id ?? '' };
  const balance = useResource('/customers/{customer_id}/funds', { path }).data?.balance;
  return balance ? <p>{messages().fromYourBalance(total, moneyText(balance.amount, balance.currency))}</p> : null;
}

/** What the reseller and the customer pay for all lines. */
export function WhoPays({ quotes, bill }: { readonly quotes: readonly Quote[]; readonly bill: Bill }) {
  const t = messages();
  if (quotes.length === 0) return null;
  const textOf = (sums: readonly Quote['total'][]) =>
    moneyText(sumOf(sums.map(({ amount }) => amount)), sums[0]?.currency ?? '');
  const total = textOf(quotes.map((each) => each.total));
  if (isCustomer()) return <FromBalance total={total} />;
  const prices = quotes.flatMap(({ customer_price: price }) => price ?? []);
  const customer =
    bill === 'no_invoice'
      ? t.customerIsNotBilled
      : prices.length === quotes.length
        ? t.customerPays(textOf(prices))
        : t.noCustomerPrice;
  return (
    <p>
      {bill === 'only_add' ? t.youPayLater(total) : t.youPay(total)} {customer}
    </p>
  );
}

/** The mode that new domains of the customer get, in words. */
function useDefaultMode(customerId: string): string {
  const t = messages();
  const isKnown = !isCustomer() && may('account:read');
  const account = useResource('/account/renewal_mode', isKnown ? {} : undefined).data?.renewal_mode;
  const path = { customer_id: customerId };
  const isWanted = isKnown && customerId !== '' && may('customers:read');
  const own = useResource('/customers/{customer_id}/renewal_mode', isWanted ? { path } : undefined).data?.renewal_mode;
  const mode = own === undefined || own === 'default' ? account : own;
  return mode ? t.defaultMode(t.modes[mode]) : t.modes[''];
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
  const defaultMode = useDefaultMode(cart.customerId);
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
            .map(([value, label]) => ({ value, label: value === '' ? defaultMode : label }))}
          onChoice={(mode) => onCart({ mode: mode as Mode | '' })}
        />
      </div>
    </Card>
  );
}
