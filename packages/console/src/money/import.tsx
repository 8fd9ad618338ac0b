import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/shapes.ts';
import { asTrouble, Trouble } from '../api/trouble.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { who } from '../session/who.ts';
import { words as common } from '../words/words.ts';
import { words } from './words.ts';

type Report = AnswerOf<'/account/price_list/import', 'post'>;
const targets = ['customer', 'reseller', 'cost'] as const;
const largestBytes = 1_000_000;

/** What became of each line that was not stored, and why. */
function Outcome({ report }: { readonly report: Report }) {
  const w = words();
  const refused = report.lines.filter(({ status }) => status === 'refused').slice(0, 50);
  return (
    <div class={`note ${report.refused > 0 ? 'bad' : ''}`} role="status">
      <div>
        <strong>{report.refused > 0 ? w.importRefused(report.refused) : w.importStored(report.stored)}</strong>
        <ul>
          {refused.map(({ line, reason }) => (
            <li key={line}>
              {w.line(line)}: {reason}
            </li>
          ))}
        </ul>
        {report.unknown_tlds.length > 0 && <p>{w.unknownTlds(report.unknown_tlds.join(', '))}</p>}
      </div>
    </div>
  );
}

/** Prices from a file or from what is pasted; all of it or nothing. */
export function ImportPrices({ onClose }: { readonly onClose: () => void }) {
  const w = words();
  const [target, setTarget] = useState<string>('customer');
  const [csv, setCsv] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const [report, setReport] = useState<Report>();
  const count = Math.max(0, csv.split('\n').filter((line) => line.trim() !== '').length - 1);
  const send = async () => {
    setBusy(true);
    try {
      const to = targets.find((each) => each === target) ?? 'customer';
      const { body } = await call('post', '/account/price_list/import', { body: { target: to, csv } });
      setReport(body);
      setTrouble(undefined);
      await changed('/account/prices', '/customers/prices', '/resellers/prices');
    } catch (error) {
      setTrouble(asTrouble(error));
    }
    setBusy(false);
  };
  const take = async (file: File) => {
    const isLarge = file.size > largestBytes;
    setTrouble(isLarge ? new Trouble(400, { message: w.fileLarge(file.name) }) : undefined);
    if (!isLarge) setCsv(await file.text());
  };
  const offered = targets.filter((each) => each !== 'cost' || who.value?.account.is_operator);
  return (
    <Dialog title={w.importTitle} size="large" onClose={onClose}>
      <p>{w.importText}</p>
      <Form onSubmit={() => void send()} trouble={trouble} labels={{ csv: w.csv, target: w.target }} isWide>
        <SelectField
          name="target"
          label={w.target}
          value={target}
          onChoice={setTarget}
          choices={offered.map((each) => ({ value: each, label: w.targets[each] }))}
        />
        <label class="stack">
          {w.file}
          <input
            type="file"
            accept=".csv,text/csv,text/plain"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) void take(file);
            }}
          />
        </label>
        <TextArea name="csv" label={w.csv} hint={w.csvHint} rows={8} value={csv} onText={setCsv} />
        {report && <Outcome report={report} />}
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={count === 0}>
            {w.importLines(count)}
          </Button>
          <Button onClick={onClose}>{common().close}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
