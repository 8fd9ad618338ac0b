import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { ResponseBody, Schema } from '../api/shapes.ts';
import { amountIn, typedAmount } from '../components/amount.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Money } from '../components/money.tsx';
import { Badge } from '../components/status-icon.tsx';
import { Pager, Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { isBelowCost, pricesBelowCost } from './below-cost.ts';
import { messages } from './messages.ts';

type Rules = Schema<'PriceRules'>;
type Prices = NonNullable<ResponseBody<'/account/price_rules', 'put'>['prices']>;
type Kind = 'percent' | 'fixed';
const pageSize = 15;
const actions = ['create', 'renew'] as const;

/** Replaces the default rule for customers and keeps all other rules. */
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

/** Cost, current and new prices side by side. */
function SideBySide({
  prices: { before, after },
  costs,
}: {
  readonly prices: Prices;
  readonly costs: Prices['before'];
}) {
  const t = messages();
  const [page, setPage] = useState(1);
  const tlds = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const price = (list: Prices['before'], tld: string, action: (typeof actions)[number]) => {
    const [amount] = Object.values(list[tld]?.[action] ?? {});
    return amount ? <Money amount={amount} currency={list[tld]?.currency ?? ''} /> : <span class="faint">–</span>;
  };
  const isBelow = (tld: string, action: (typeof actions)[number]) => {
    const [years] = Object.keys(after[tld]?.[action] ?? {});
    return years !== undefined && isBelowCost(costs[tld], after[tld], action, years);
  };
  const below = pricesBelowCost(costs, after).length;
  return (
    <>
      {below > 0 && (
        <p class="note warn" role="status">
          {t.pricesBelowCost(below)} {t.belowCostCounted}
        </p>
      )}
      <Table
        label={t.simulated}
        rows={tlds.slice((page - 1) * pageSize, page * pageSize)}
        keyOf={(tld) => tld}
        error={undefined}
        onRetry={() => undefined}
        empty={null}
        columns={[
          { key: 'tld', title: t.tld, isTitle: true, cell: (tld) => (after[tld] ?? before[tld])?.tld_label },
          ...actions.map((action) => ({
            key: action,
            title: t.actions[action],
            isNumber: true,
            cell: (tld: string) => (
              <div class="two-prices">
                <span>
                  <span class="faint">{t.cost}</span> {price(costs, tld, action)}
                </span>
                <span>
                  <span class="faint">{t.currentPrice}</span> {price(before, tld, action)}
                </span>
                <span class="priced">
                  {isBelow(tld, action) && <Badge tone="bad">{t.belowCost}</Badge>}
                  <span class="faint">{t.newPrice}</span> <strong>{price(after, tld, action)}</strong>
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
    ...(step.trim() ? { rounding_step: amountIn(step) } : {}),
    ...(step.trim() && ending.trim() ? { rounding_ending: amountIn(ending) } : {}),
  };
}

/** The API reports errors for the first rule, which is the default rule. */
function RuleFields({
  of,
  currency,
  onChange,
}: {
  readonly of: Draft;
  readonly currency: string;
  readonly onChange: (changes: Partial<Draft>) => void;
}) {
  const t = messages();
  return (
    <div class="two-fields">
      <SelectField
        name="rules.0.kind"
        label={t.markup}
        value={of.kind}
        onChoice={(kind) => onChange({ kind })}
        choices={[
          { value: 'percent', label: t.addsShare },
          { value: 'fixed', label: t.addsFixed(currency) },
        ]}
      />
      <TextField
        name={of.kind === 'percent' ? 'rules.0.percent' : 'rules.0.amount'}
        label={t.markupValue}
        value={of.figure}
        autoComplete="off"
        onText={(figure) => onChange({ figure })}
      />
      <TextField
        name="rules.0.rounding_step"
        label={t.roundingStep}
        hint={t.roundingStepHint}
        isOptional
        value={of.step}
        autoComplete="off"
        onText={(step) => onChange({ step })}
      />
      <TextField
        name="rules.0.rounding_ending"
        label={t.roundingEnding}
        hint={t.roundingEndingHint}
        isOptional
        value={of.ending}
        autoComplete="off"
        onText={(ending) => onChange({ ending })}
      />
    </div>
  );
}

/** Previews a new default rule. Saving requires a preview of the current input. */
export function Simulate({
  rules,
  costs = {},
  onClose,
}: {
  readonly rules: Rules;
  readonly costs?: Prices['before'] | undefined;
  readonly onClose: () => void;
}) {
  const t = messages();
  const general = rules.rules.find(({ audience, tld, action }) => audience === 'customer' && !tld && !action);
  const [draft, setDraft] = useState<Draft>({
    kind: general?.kind ?? 'percent',
    figure: typedAmount(general?.percent ?? general?.amount?.amount ?? ''),
    step: typedAmount(general?.rounding_step ?? ''),
    ending: typedAmount(general?.rounding_ending ?? ''),
  });
  // The input can change before its preview arrives.
  const [preview, setPreview] = useState<{ readonly of: Draft; readonly prices: Prices | undefined }>();
  const prices = preview?.of === draft ? preview.prices : undefined;
  const { busy, error, perform } = useSubmit();
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const body = () => ({ audience: 'customer' as const, rules: rulesWith(rules, writtenOf(draft)) });
  const previewPrices = () =>
    perform(async () => {
      const response = await call('put', '/account/price_rules', { body: { ...body(), dry_run: true } });
      setPreview({ of: draft, prices: response.body.prices ?? undefined });
    });
  const save = () =>
    perform(async () => {
      await call('put', '/account/price_rules', { body: body() });
      toast(t.rulesSaved);
      onClose();
      await Promise.all([invalidate('/account/price_rules'), invalidate('/customers/prices')]);
    });
  return (
    <Dialog title={t.simulate} onClose={onClose} size="large">
      <p>{t.simulateText}</p>
      <Form onSubmit={() => void previewPrices()} error={error} isWide>
        <RuleFields of={draft} currency={rules.currency} onChange={change} />
        {prices && <SideBySide prices={prices} costs={costs} />}
        <div class="actions">
          {prices ? (
            <Button kind="primary" busy={busy} onClick={() => void save()}>
              {t.saveRule}
            </Button>
          ) : (
            <Button kind="primary" type="submit" busy={busy}>
              {t.previewPrices}
            </Button>
          )}
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
