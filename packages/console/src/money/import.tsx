import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import type { ResponseBody } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { SelectField, TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { currentSession } from '../session/current-session.ts';
import { pricesBelowCost } from './below-cost.ts';
import { messages } from './messages.ts';

type Report = ResponseBody<'/account/price_list/import', 'post'>;
const targets = ['customer', 'reseller', 'cost'] as const;
const largestBytes = 1_000_000;
const shownPrices = 10;
const example = 'tld,action,years,amount\ncom,registration,1,14.99\ncom,renewal,1,16.99';

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

/** Warns of prices below the cost after an import, because orders at these prices lose money. */
function BelowCost({ target }: { readonly target: 'customer' | 'reseller' }) {
  const t = messages();
  const costs = useResource('/account/prices', {}).data;
  const customers = useResource('/customers/prices', target === 'customer' ? {} : undefined).data;
  const resellers = useResource('/resellers/prices', target === 'reseller' ? {} : undefined).data;
  const charges = customers ?? resellers;
  const below = costs && charges ? pricesBelowCost(costs, charges) : [];
  if (below.length === 0) return null;
  const named = below
    .slice(0, shownPrices)
    .map(({ tld, action, years }) => `${tld} (${t.ruleActions[action]}${years > 1 ? ` ${t.perTerm(years)}` : ''})`);
  return (
    <div class="note warn" role="status">
      <div>
        <strong>{t.pricesBelowCost(below.length)}</strong>
        <p>
          {named.join(', ')}
          {below.length > named.length && ', …'}
        </p>
      </div>
    </div>
  );
}

function CsvFile({ onFile }: { readonly onFile: (file: File) => void }) {
  return (
    <label class="stack">
      {messages().file}
      <input
        type="file"
        accept=".csv,text/csv,text/plain"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
        }}
      />
    </label>
  );
}

/** Imports prices from a file or pasted text; all lines or none. */
export function ImportPrices({ onClose }: { readonly onClose: () => void }) {
  const t = messages();
  const [target, setTarget] = useState<(typeof targets)[number]>('customer');
  const [csv, setCsv] = useState('');
  // The lines can change before the report about them arrives.
  const [answer, setAnswer] = useState<{ readonly target: string; readonly csv: string; readonly report: Report }>();
  const report = answer?.target === target && answer.csv === csv ? answer.report : undefined;
  const { busy, error, perform } = useSubmit();
  const [fileError, setFileError] = useState<ApiError>();
  const count = Math.max(0, csv.split('\n').filter((line) => line.trim() !== '').length - 1);
  const isStored = report !== undefined && report.refused === 0;
  const send = () =>
    perform(async () => {
      setFileError(undefined);
      const { body } = await call('post', '/account/price_list/import', { body: { target, csv } });
      // Before the report: its warning of prices below the cost reads the lists.
      await invalidate('/account/prices', '/customers/prices', '/resellers/prices');
      setAnswer({ target, csv, report: body });
    });
  const take = async (file: File) => {
    const isLarge = file.size > largestBytes;
    setFileError(isLarge ? new ApiError(400, { message: t.fileLarge(file.name) }) : undefined);
    if (isLarge) return;
    const text = await file.text();
    setCsv(text);
  };
  const offered = targets.filter((each) => each !== 'cost' || currentSession.value?.account.is_operator);
  return (
    <Dialog title={t.importTitle} size="large" onClose={onClose}>
      <p>{t.importText}</p>
      <Form onSubmit={() => void send()} error={fileError ?? error} isWide>
        <SelectField
          name="target"
          label={t.target}
          value={target}
          onChoice={(chosen) => setTarget(targets.find((each) => each === chosen) ?? 'customer')}
          choices={offered.map((each) => ({ value: each, label: t.targets[each] }))}
        />
        <CsvFile onFile={(file) => void take(file)} />
        <TextArea
          name="csv"
          label={t.csv}
          hint={t.csvHint}
          placeholder={example}
          rows={8}
          value={csv}
          onText={setCsv}
        />
        {report && <Outcome report={report} />}
        {isStored && target !== 'cost' && <BelowCost target={target} />}
        <div class="actions">
          {!isStored && (
            <Button kind="primary" type="submit" busy={busy} disabled={count === 0}>
              {t.importLines(count)}
            </Button>
          )}
          <Button onClick={onClose}>{common().close}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
