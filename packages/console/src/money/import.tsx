import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { ApiError, asApiError } from '../api/error.ts';
import type { ResponseBody } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { SelectField, TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { changed } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { currentSession } from '../session/current-session.ts';
import { messages } from './messages.ts';

type Report = ResponseBody<'/account/price_list/import', 'post'>;
const targets = ['customer', 'reseller', 'cost'] as const;
const largestBytes = 1_000_000;

/** Lines that were not saved, with reasons. */
function Outcome({ report }: { readonly report: Report }) {
  const t = messages();
  const refused = report.lines.filter(({ status }) => status === 'refused').slice(0, 50);
  return (
    <div class={`note ${report.refused > 0 ? 'bad' : ''}`} role="status">
      <div>
        <strong>{report.refused > 0 ? t.importRefused(report.refused) : t.importStored(report.stored)}</strong>
        <ul>
          {refused.map(({ line, reason }) => (
            <li key={line}>
              {t.line(line)}: {reason}
            </li>
          ))}
        </ul>
        {report.stored > 0 && report.unknown_tlds.length > 0 && <p>{t.unknownTlds(report.unknown_tlds.join(', '))}</p>}
      </div>
    </div>
  );
}

/** Imports prices from a file or pasted text; all lines or none. */
export function ImportPrices({ onClose }: { readonly onClose: () => void }) {
  const t = messages();
  const [target, setTarget] = useState<string>('customer');
  const [csv, setCsv] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [report, setReport] = useState<Report>();
  const count = Math.max(0, csv.split('\n').filter((line) => line.trim() !== '').length - 1);
  const send = async () => {
    setBusy(true);
    try {
      const to = targets.find((each) => each === target) ?? 'customer';
      const { body } = await call('post', '/account/price_list/import', { body: { target: to, csv } });
      setReport(body);
      setError(undefined);
      await changed('/account/prices', '/customers/prices', '/resellers/prices');
    } catch (cause) {
      setError(asApiError(cause));
    }
    setBusy(false);
  };
  const take = async (file: File) => {
    const isLarge = file.size > largestBytes;
    setError(isLarge ? new ApiError(400, { message: t.fileLarge(file.name) }) : undefined);
    if (!isLarge) setCsv(await file.text());
  };
  const offered = targets.filter((each) => each !== 'cost' || currentSession.value?.account.is_operator);
  return (
    <Dialog title={t.importTitle} size="large" onClose={onClose}>
      <p>{t.importText}</p>
      <Form onSubmit={() => void send()} error={error} labels={{ csv: t.csv, target: t.target }} isWide>
        <SelectField
          name="target"
          label={t.target}
          value={target}
          onChoice={setTarget}
          choices={offered.map((each) => ({ value: each, label: t.targets[each] }))}
        />
        <label class="stack">
          {t.file}
          <input
            type="file"
            accept=".csv,text/csv,text/plain"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) void take(file);
            }}
          />
        </label>
        <TextArea name="csv" label={t.csv} hint={t.csvHint} rows={8} value={csv} onText={setCsv} />
        {report && <Outcome report={report} />}
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={count === 0}>
            {t.importLines(count)}
          </Button>
          <Button onClick={onClose}>{common().close}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
