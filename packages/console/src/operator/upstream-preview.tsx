import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Empty } from '../components/empty.tsx';
import { Checkbox } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Moment } from '../components/moment.tsx';
import { Money, moneyText } from '../components/money.tsx';
import { Table } from '../components/table.tsx';
import type { Submission } from '../components/use-submit.ts';
import { type Preview, previewRows } from './upstream-draft.ts';
import { messages } from './upstream-messages.ts';

type Change = Preview['costs'][number];

function Amount({ of }: { readonly of: Change | undefined }) {
  const t = messages();
  if (!of) return <span class="faint">{t.unchanged}</span>;
  return (
    <>
      <Money amount={of.after} currency={of.currency} />
      {of.before !== null && <small class="faint"> ({t.before(moneyText(of.before, of.currency))})</small>}
    </>
  );
}

/** Everything that the last step would change, besides prices. */
function Notes({ preview, isChanged }: { readonly preview: Preview; readonly isChanged: boolean }) {
  const t = messages();
  const notes = [
    ...(isChanged ? [t.changed] : []),
    ...(preview.below_cost.length > 0 ? [t.belowCost(preview.below_cost.length)] : []),
    ...preview.moved_tlds.map(({ tld, from_registry_id }) => t.moved(tld, from_registry_id)),
    ...preview.alternative_tlds.map(({ tld, route_registry_id }) => t.alternative(tld, route_registry_id)),
    ...preview.removed_tlds.map(t.removed),
    ...(preview.has_price_list ? [] : [t.noPriceList]),
    ...(preview.unpriced_tlds.length > 0 ? [t.unpriced(preview.unpriced_tlds.map((tld) => `.${tld}`).join(' '))] : []),
  ];
  if (notes.length === 0) return null;
  return (
    <div class="note warn" role="status">
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}

interface Props {
  readonly preview: Preview;
  /** The prices differ from those that were reviewed before. */
  readonly isChanged: boolean;
  /** TLDs of other registries are taken over, and TLDs of this one may be removed. */
  readonly isConfirmed: boolean;
  readonly onConfirmed: (isConfirmed: boolean) => void;
  readonly sending: Submission;
  readonly onSubmit: () => void;
  readonly onBack: () => void;
}

/** What would be loaded. */
export function PreviewStep({ preview, isChanged, isConfirmed, onConfirmed, sending, onSubmit, onBack }: Props) {
  const t = messages();
  const { moved_tlds: moved, alternative_tlds: alternative, removed_tlds: removed } = preview;
  return (
    <Form onSubmit={onSubmit} error={sending.error} isWide>
      <Notes preview={preview} isChanged={isChanged} />
      <Card title={t.pricesOf(preview.tlds.length)}>
        <Table
          label={t.pricesOf(preview.tlds.length)}
          rows={previewRows(preview)}
          keyOf={({ key }) => key}
          empty={<Empty title={t.noChanges} />}
          columns={[
            { key: 'tld', title: t.tld, isTitle: true, cell: ({ tld }) => `.${tld}` },
            { key: 'action', title: t.action, cell: ({ action }) => t.actions[action] ?? action },
            { key: 'cost', title: t.cost, isNumber: true, cell: ({ cost }) => <Amount of={cost} /> },
            {
              key: 'price',
              title: t.price,
              isNumber: true,
              cell: ({ price, loss }) =>
                price || !loss ? <Amount of={price} /> : <Money amount={loss.price} currency={loss.currency} />,
            },
            { key: 'from', title: t.from, cell: ({ from }) => (from ? <Moment at={from} /> : t.now) },
          ]}
        />
      </Card>
      {moved.length + alternative.length + removed.length > 0 && (
        <Checkbox name="confirm_tlds" label={t.confirmTlds} checked={isConfirmed} onChange={onConfirmed} />
      )}
      <div class="actions">
        <Button kind="primary" type="submit" busy={sending.busy} disabled={removed.length > 0 && !isConfirmed}>
          {t.connect}
        </Button>
        <Button onClick={onBack}>{t.back}</Button>
      </div>
    </Form>
  );
}
