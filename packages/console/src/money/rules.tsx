import { useState } from 'preact/hooks';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Facts } from '../components/facts.tsx';
import { SelectField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Money, moneyText } from '../components/money.tsx';
import { useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { messages } from './messages.ts';
import { Simulate } from './simulate.tsx';
import { placesOf, textOf, wholeOf } from './sums.ts';

type Rule = Schema<'PriceRule'>;
type Lists = { readonly pay: Schema<'PriceList'>; readonly charge: Schema<'PriceList'> };
const actions = ['create', 'renew', 'transfer', 'restore'] as const;

/** A pricing rule as text: scope, markup and rounding. */
function Sentence({ rule, currency }: { readonly rule: Rule; readonly currency: string }) {
  const t = messages();
  const what = [
    rule.tld ? `.${rule.tld}` : t.allTlds,
    rule.action ? (t.ruleActions[rule.action] ?? rule.action) : t.allActions,
  ];
  const added = rule.amount
    ? t.addsSum(moneyText(rule.amount.amount, rule.amount.currency))
    : t.addsPercent(Number(rule.percent ?? 0));
  const rounded = rule.rounding_step ? t.rounded(moneyText(rule.rounding_step, currency), rule.rounding_ending) : '';
  return (
    <li>
      {t.ruleFor[rule.audience]}, {what.join(', ')}: <strong>{added}</strong>
      {rounded && `, ${rounded}`}
    </li>
  );
}

/** An example sale: cost, price and margin. */
function Example({ pay, charge }: Lists) {
  const t = messages();
  const [tld, setTld] = useState(pay.com ? 'com' : (Object.keys(pay)[0] ?? ''));
  const [action, setAction] = useState<string>('create');
  const chosen = actions.find((each) => each === action) ?? 'create';
  const [years, paid] = Object.entries(pay[tld]?.[chosen] ?? {})[0] ?? [];
  const charged = years ? charge[tld]?.[chosen]?.[years] : undefined;
  const currencies = [pay[tld]?.currency ?? '', charge[tld]?.currency ?? ''] as const;
  const places = Math.max(placesOf(paid ?? ''), placesOf(charged ?? ''));
  const marginAmount =
    paid && charged && currencies[0] === currencies[1]
      ? textOf(wholeOf(charged, places) - wholeOf(paid, places), places)
      : undefined;
  return (
    <Form onSubmit={() => undefined} error={undefined}>
      <div class="two-fields">
        <SelectField
          name="tld"
          label={t.tld}
          value={tld}
          onChoice={setTld}
          choices={Object.entries(pay).map(([key, { tld_label }]) => ({ value: key, label: tld_label }))}
        />
        <SelectField
          name="action"
          label={t.action}
          value={action}
          onChoice={setAction}
          choices={actions.map((each) => ({ value: each, label: t.actions[each] }))}
        />
      </div>
      <Facts
        rows={[
          [t.yourCost, paid ? <Money key="p" amount={paid} currency={currencies[0]} /> : '–'],
          [t.customerPrice, charged ? <Money key="c" amount={charged} currency={currencies[1]} /> : '–'],
          [t.margin, marginAmount ? <Money key="k" amount={marginAmount} currency={currencies[0]} /> : t.otherCurrency],
        ]}
      />
    </Form>
  );
}

export function Rules({ pay, charge }: { readonly pay?: Lists['pay']; readonly charge?: Lists['charge'] }) {
  const t = messages();
  const rules = useResource('/account/price_rules', {});
  const [isSimulating, setSimulating] = useState(false);
  return (
    <div class="columns">
      <Card title={t.rules}>
        {rules.error && <ErrorBanner error={rules.error} onRetry={rules.refetch} />}
        {!rules.data && !rules.error && <Skeleton />}
        {rules.data?.rules.length === 0 && <p>{t.noRules}</p>}
        <ul class="rules">
          {rules.data?.rules.map((rule, n) => (
            <Sentence key={n} rule={rule} currency={rules.data?.currency ?? ''} />
          ))}
        </ul>
        <p class="faint">{t.rulesText}</p>
        {rules.data && may('account:write') && <Button onClick={() => setSimulating(true)}>{t.simulate}</Button>}
        {rules.data && isSimulating && <Simulate rules={rules.data} costs={pay} onClose={() => setSimulating(false)} />}
      </Card>
      {pay && charge && (
        <Card title={t.example}>
          <Example pay={pay} charge={charge} />
        </Card>
      )}
    </div>
  );
}
