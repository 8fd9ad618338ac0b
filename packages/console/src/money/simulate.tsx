import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { AnswerOf, Shape } from '../api/shapes.ts';
import { changed } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { amountIn } from '../parts/amount.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Money } from '../parts/money.tsx';
import { Pager, Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { words as common } from '../words/words.ts';
import { words } from './words.ts';

type Rules = Shape<'PriceRules'>;
type Prices = NonNullable<AnswerOf<'/account/price_rules', 'put'>['prices']>;
type Kind = 'percent' | 'fixed';
const pageSize = 15;
const actions = ['create', 'renew'] as const;

/** The other rules of customers stay as they are: only the one for everything is another. */
function rulesWith({ rules }: Rules, general: object) {
  const others = rules
    .filter(({ audience, tld, action }) => audience === 'customer' && (tld !== null || action !== null))
    .map((rule) => ({
      ...(rule.tld ? { tld: rule.tld } : {}),
      ...(rule.action ? { action: rule.action } : {}),
      kind: rule.kind,
      ...(rule.percent === null ? {} : { percent: rule.percent }),
      ...(rule.amount ? { amount: rule.amount.amount, currency: rule.amount.currency } : {}),
      ...(rule.rounding_step === null ? {} : { rounding_step: rule.rounding_step }),
      ...(rule.rounding_ending === null ? {} : { rounding_ending: rule.rounding_ending }),
    }));
  return [general as { kind: Kind }, ...others];
}

/** Now and then, side by side; what stays the same says so by being the same. */
function SideBySide({ prices: { before, after } }: { readonly prices: Prices }) {
  const w = words();
  const [page, setPage] = useState(1);
  const tlds = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const price = (list: Prices['before'], tld: string, action: (typeof actions)[number]) => {
    const [amount] = Object.values(list[tld]?.[action] ?? {});
    return amount ? <Money amount={amount} currency={list[tld]?.currency ?? ''} /> : <span class="faint">–</span>;
  };
  return (
    <>
      <Table
        label={w.simulated}
        rows={tlds.slice((page - 1) * pageSize, page * pageSize)}
        keyOf={(tld) => tld}
        trouble={undefined}
        onAgain={() => undefined}
        empty={null}
        columns={[
          { key: 'tld', title: w.tld, isTitle: true, cell: (tld) => (after[tld] ?? before[tld])?.tld_label },
          ...actions.map((action) => ({
            key: action,
            title: w.actions[action],
            isNumber: true,
            cell: (tld: string) => (
              <div class="two-prices">
                <span>
                  <span class="faint">{w.nowAsked}</span> {price(before, tld, action)}
                </span>
                <span>
                  <span class="faint">{w.thenAsked}</span> <strong>{price(after, tld, action)}</strong>
                </span>
              </div>
            ),
          })),
        ]}
      />
      <Pager page={page} size={pageSize} total={tlds.length} onPage={setPage} />
    </>
  );
}

interface Draft {
  readonly kind: string;
  readonly figure: string;
  readonly step: string;
  readonly ending: string;
}

function writtenOf({ kind, figure, step, ending }: Draft): object {
  return {
    kind,
    [kind === 'percent' ? 'percent' : 'amount']: amountIn(figure),
    ...(step.trim() ? { rounding_step: step.trim() } : {}),
    ...(step.trim() && ending.trim() ? { rounding_ending: ending.trim() } : {}),
  };
}

/** The server names the fields of the first rule: it is the one for everything. */
function RuleFields({
  of,
  currency,
  onChange,
}: {
  readonly of: Draft;
  readonly currency: string;
  readonly onChange: (changes: Partial<Draft>) => void;
}) {
  const w = words();
  return (
    <div class="two-fields">
      <SelectField
        name="rules.0.kind"
        label={w.adds}
        value={of.kind}
        onChoice={(kind) => onChange({ kind })}
        choices={[
          { value: 'percent', label: w.addsShare },
          { value: 'fixed', label: w.addsFixed(currency) },
        ]}
      />
      <TextField
        name={of.kind === 'percent' ? 'rules.0.percent' : 'rules.0.amount'}
        label={w.howMuch}
        value={of.figure}
        autoComplete="off"
        onText={(figure) => onChange({ figure })}
      />
      <TextField
        name="rules.0.rounding_step"
        label={w.roundingStep}
        isOptional
        value={of.step}
        autoComplete="off"
        onText={(step) => onChange({ step })}
      />
      <TextField
        name="rules.0.rounding_ending"
        label={w.roundingEnding}
        isOptional
        value={of.ending}
        autoComplete="off"
        onText={(ending) => onChange({ ending })}
      />
    </div>
  );
}

/** What customers would pay if; nothing is stored until the last yes, and what is changed after a look is looked at again. */
export function Simulate({ rules, onClose }: { readonly rules: Rules; readonly onClose: () => void }) {
  const w = words();
  const general = rules.rules.find(({ audience, tld, action }) => audience === 'customer' && !tld && !action);
  const [draft, setDraft] = useState<Draft>({
    kind: general?.kind ?? 'percent',
    figure: general?.percent ?? general?.amount?.amount ?? '',
    step: general?.rounding_step ?? '',
    ending: general?.rounding_ending ?? '',
  });
  const [prices, setPrices] = useState<Prices>();
  const { busy, trouble, act } = useAct();
  const change = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes });
    setPrices(undefined);
  };
  const body = () => ({ audience: 'customer' as const, rules: rulesWith(rules, writtenOf(draft)) });
  const look = () =>
    act(async () => {
      const said = await call('put', '/account/price_rules', { body: { ...body(), dry_run: true } });
      setPrices(said.body.prices ?? undefined);
    });
  const save = () =>
    act(async () => {
      await call('put', '/account/price_rules', { body: body() });
      toast(w.rulesSaved);
      onClose();
      await Promise.all([changed('/account/price_rules'), changed('/customers/prices')]);
    });
  return (
    <Dialog title={w.simulate} onClose={onClose} size="large">
      <p>{w.simulateText}</p>
      <Form onSubmit={() => void look()} trouble={trouble}>
        <RuleFields of={draft} currency={rules.currency} onChange={change} />
        {prices && <SideBySide prices={prices} />}
        <div class="actions">
          {prices ? (
            <Button kind="primary" busy={busy} onClick={() => void save()}>
              {w.saveRule}
            </Button>
          ) : (
            <Button kind="primary" type="submit" busy={busy}>
              {w.lookFirst}
            </Button>
          )}
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
