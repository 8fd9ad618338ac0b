import { Card } from '../components/card.tsx';
import { Checkbox, SelectField, TextArea } from '../components/field.tsx';
import { moneyText } from '../components/money.tsx';
import { type ContactAssignment, ContactRoles, noContacts } from '../contacts/choose.tsx';
import { ChooseCustomer } from '../customers/choose.tsx';
import { useResource } from '../data/resource.ts';
import type { Quote } from '../domains/quote.ts';
import { provider } from '../session/brand.ts';
import { currentSession, isCustomer, may } from '../session/current-session.ts';
import { type Bill, type Cart, type Mode, shortfall, sumOf } from './cart.ts';
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
function FromBalance({ total }: { readonly total: Quote['total'] }) {
  const path = { customer_id: currentSession.value?.customer?.customer_id ?? '' };
  const balance = useResource('/customers/{customer_id}/funds', { path }).data?.balance;
  if (!balance) return null;
  const t = messages();
  const { amount, currency } = balance;
  const missing = currency === total.currency ? shortfall(total.amount, amount) : undefined;
  return (
    <p>
      {t.fromYourBalance(moneyText(total.amount, total.currency), moneyText(amount, currency))}{' '}
      {missing && t.balanceLow(moneyText(missing, currency), provider())}
    </p>
  );
}

/** The balance of the customer who pays, and whether it is known to be too low for all lines. */
export function useCustomerBalance({ customerId, bill }: Party, quotes: readonly Quote[]) {
  const isWanted = !isCustomer() && bill === 'pay_invoice' && customerId !== '' && may('billing:read');
  const path = { customer_id: customerId };
  const balance = useResource('/customers/{customer_id}/funds', isWanted ? { path } : undefined).data?.balance;
  if (!isWanted || !balance) return undefined;
  const prices = quotes.flatMap(({ customer_price: price }) => (price?.currency === balance.currency ? price : []));
  const isLow = shortfall(sumOf(prices.map(({ amount }) => amount)), balance.amount) !== undefined;
  return { text: moneyText(balance.amount, balance.currency), isLow };
}

/** The text of the order button, which promises no more than what happens now. */
export function orderText(bill: Bill, isLow: boolean, count: number, paid: (count: number) => string): string {
  const t = messages();
  if (bill === 'only_add') return t.orderUnpaid(count);
  return isLow ? t.orderUncovered(count) : paid(count);
}

/** What the reseller and the customer pay for all lines. */
export function WhoPays({
  quotes,
  bill,
  balance,
}: {
  readonly quotes: readonly Quote[];
  readonly bill: Bill;
  readonly balance: ReturnType<typeof useCustomerBalance>;
}) {
  const t = messages();
  if (quotes.length === 0) return null;
  const totalOf = (sums: readonly Quote['total'][]) => ({
    amount: sumOf(sums.map(({ amount }) => amount)),
    currency: sums[0]?.currency ?? '',
  });
  const textOf = (sums: readonly Quote['total'][]) => moneyText(totalOf(sums).amount, totalOf(sums).currency);
  const totals = quotes.map((each) => each.total);
  const total = textOf(totals);
  if (isCustomer()) return <FromBalance total={totalOf(totals)} />;
  const prices = quotes.flatMap(({ customer_price: price }) => price ?? []);
  const customer =
    bill === 'no_invoice'
      ? t.customerIsNotBilled
      : prices.length === quotes.length
        ? t.customerPays(textOf(prices))
        : t.noCustomerPrice;
  const sentences = [
    balance?.isLow && t.customerBalanceLow(balance.text),
    bill === 'only_add' ? t.youPayLater(total) : balance?.isLow ? t.youPayForAll(total) : t.youPay(total),
    customer,
    balance && !balance.isLow && t.customerBalance(balance.text),
  ];
  return <p>{sentences.filter(Boolean).join(' ')}</p>;
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
          hint={cart.mode === '' ? undefined : t.modeHints[cart.mode]}
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
