import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { Simulate } from './simulate.tsx';
import { placesOf, textOf, wholeOf } from './sums.ts';
import { words } from './words.ts';

type Rule = Shape<'PriceRule'>;
type Lists = { readonly pay: Shape<'PriceList'>; readonly charge: Shape<'PriceList'> };
const actions = ['create', 'renew', 'transfer', 'restore'] as const;

/** A rule in words: for what, what is added, how it is rounded. */
function Sentence({ rule, currency }: { readonly rule: Rule; readonly currency: string }) {
  const w = words();
  const what = [
    rule.tld ? `.${rule.tld}` : w.allTlds,
    rule.action ? (w.ruleActions[rule.action] ?? rule.action) : w.allActions,
  ];
  const added = rule.amount
    ? w.addsSum(moneyText(rule.amount.amount, rule.amount.currency))
    : w.addsPercent(Number(rule.percent ?? 0));
  const rounded = rule.rounding_step ? w.rounded(moneyText(rule.rounding_step, currency), rule.rounding_ending) : '';
  return (
    <li>
      {w.ruleFor[rule.audience]}, {what.join(', ')}: <strong>{added}</strong>
      {rounded && `, ${rounded}`}
    </li>
  );
}

/** The real figures of one sale: what is paid, what is charged, what stays. */
function Example({ pay, charge }: Lists) {
  const w = words();
  const [tld, setTld] = useState(pay.com ? 'com' : (Object.keys(pay)[0] ?? ''));
  const [action, setAction] = useState<string>('create');
  const chosen = actions.find((each) => each === action) ?? 'create';
  const [years, paid] = Object.entries(pay[tld]?.[chosen] ?? {})[0] ?? [];
  const charged = years ? charge[tld]?.[chosen]?.[years] : undefined;
  const currencies = [pay[tld]?.currency ?? '', charge[tld]?.currency ?? ''] as const;
  const places = Math.max(placesOf(paid ?? ''), placesOf(charged ?? ''));
  const kept =
    paid && charged && currencies[0] === currencies[1]
      ? textOf(wholeOf(charged, places) - wholeOf(paid, places), places)
      : undefined;
  return (
    <Form onSubmit={() => undefined} trouble={undefined}>
      <div class="two-fields">
        <SelectField
          name="tld"
          label={w.tld}
          value={tld}
          onChoice={setTld}
          choices={Object.entries(pay).map(([key, { tld_label }]) => ({ value: key, label: tld_label }))}
        />
        <SelectField
          name="action"
          label={w.action}
          value={action}
          onChoice={setAction}
          choices={actions.map((each) => ({ value: each, label: w.actions[each] }))}
        />
      </div>
      <Facts
        rows={[
          [w.youPay, paid ? <Money key="p" amount={paid} currency={currencies[0]} /> : '–'],
          [w.theyPay, charged ? <Money key="c" amount={charged} currency={currencies[1]} /> : '–'],
          [w.youKeep, kept ? <Money key="k" amount={kept} currency={currencies[0]} /> : w.otherCurrency],
        ]}
      />
    </Form>
  );
}

export function Rules({ pay, charge }: { readonly pay?: Lists['pay']; readonly charge?: Lists['charge'] }) {
  const w = words();
  const rules = useResource('/account/price_rules', {});
  const [isSimulating, setSimulating] = useState(false);
  return (
    <div class="columns">
      <Card title={w.rules}>
        {rules.trouble && <TroubleNote trouble={rules.trouble} onAgain={rules.again} />}
        {!rules.data && !rules.trouble && <Waiting />}
        {rules.data?.rules.length === 0 && <p>{w.noRules}</p>}
        <ul class="rules">
          {rules.data?.rules.map((rule, n) => (
            <Sentence key={n} rule={rule} currency={rules.data?.currency ?? ''} />
          ))}
        </ul>
        <p class="faint">{w.rulesText}</p>
        {rules.data && may('account:write') && <Button onClick={() => setSimulating(true)}>{w.simulate}</Button>}
        {rules.data && isSimulating && <Simulate rules={rules.data} onClose={() => setSimulating(false)} />}
      </Card>
      {pay && charge && (
        <Card title={w.example}>
          <Example pay={pay} charge={charge} />
        </Card>
      )}
    </div>
  );
}
