import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { moneyText } from '../parts/money.tsx';
import { toast } from '../parts/toast.tsx';
import { words as common } from '../words/words.ts';
import { useQuote } from './quote.ts';
import { words } from './words.ts';

interface Given {
  readonly name: string;
  readonly domainId: string;
  readonly expires: string;
  readonly onClose: () => void;
}

/** The price stands on the button, and what happens beside it. Sending twice is one order: the key lies with the draft. */
export function Renew({ name, domainId, expires, onClose }: Given) {
  const w = words();
  const draft = useDraft(`domains/${domainId}/renew`, 1);
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Trouble>();
  const { quote, trouble } = useQuote({ kind: 'renew', domain_name: name, years: draft.value }, round);
  const submit = async () => {
    if (!quote) return;
    setBusy(true);
    try {
      const body = {
        years: draft.value,
        current_date: expires,
        invoice_option: 'no_invoice',
        quote_id: quote.quote_id,
      } as const;
      const done = await call(
        'post',
        '/domains/{domain_id}/renew',
        { path: { domain_id: domainId }, body },
        { idempotencyKey: draft.idempotencyKey },
      );
      draft.clear();
      toast(done.status === 202 ? w.under : w.renewed(name));
      await changed('/domains', '/operations', '/account');
      onClose();
    } catch (error) {
      const said = asTrouble(error);
      setRefused(said);
      // What was refused may be ordered anew, at a new price.
      if (said.isRefusal) draft.renew();
      if (/^(quote|price)/.test(said.code)) setRound(round + 1);
    } finally {
      setBusy(false);
    }
  };
  const years = Array.from({ length: 10 }, (_, n) => ({ value: String(n + 1), label: w.year(n + 1) }));
  return (
    <Dialog title={w.renewTitle(name)} onClose={onClose}>
      <Form onSubmit={() => void submit()} trouble={refused ?? trouble} labels={{ years: w.years }}>
        <SelectField
          name="years"
          label={w.years}
          value={String(draft.value)}
          choices={years}
          onChoice={(value) => draft.set(Number(value))}
        />
        {quote && <p>{quote.what_happens}</p>}
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!quote}>
            {quote ? w.renewFor(moneyText(quote.total.amount, quote.total.currency)) : w.pricing}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
