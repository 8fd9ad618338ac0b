import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { changed, useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty, Waiting } from '../parts/empty.tsx';
import { Light } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { words } from './words.ts';

function CompareNow({
  isRunning,
  onTrouble,
}: {
  readonly isRunning: boolean;
  readonly onTrouble: (said?: Trouble) => void;
}) {
  const w = words();
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    try {
      const { body } = await call('post', '/operator/verify', {});
      onTrouble(undefined);
      toast(w.asked[body.state]);
      await changed('/operator/books');
    } catch (error) {
      onTrouble(asTrouble(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button kind="primary" busy={busy || isRunning} onClick={() => void ask()}>
      {w.compare}
    </Button>
  );
}

export default function Books() {
  const w = words();
  const books = useResource('/operator/books', {}, { everyMs: 5_000 });
  const [refused, setRefused] = useState<Trouble>();
  const trouble = refused ?? books.trouble;
  const isRunning = Boolean(books.data?.running_since);
  const run = books.data?.last_run;
  return (
    <>
      <PageHead
        title={w.books}
        lead={w.booksLead}
        actions={
          <>
            {may('account:write') && <CompareNow isRunning={isRunning} onTrouble={setRefused} />}
            <CopyCurl method="get" address="/v1/operator/books" />
          </>
        }
      />
      {trouble && <TroubleNote trouble={trouble} onAgain={books.again} />}
      {!books.data && !trouble && <Waiting />}
      {books.data && (
        <Card title={w.lastRun}>
          <p role="status">
            {isRunning && `${w.running} `}
            {run ? (
              <Light kind={run.differences === 0 ? 'good' : 'bad'}>
                {run.differences === 0 ? w.agree : w.differ(run.differences)}
              </Light>
            ) : (
              w.neverRun
            )}
          </p>
          {run && (
            <p>
              <Moment at={run.finished_at ?? run.started_at} withTime />
              {' · '}
              <span class="faint">
                {w.counted}:{' '}
                {Object.entries(run.counts)
                  .map(([what, n]) => `${n} ${w.countedOf[what] ?? what}`)
                  .join(', ')}
              </span>
            </p>
          )}
          {run?.skipped.map(({ registry_id: id, why }) => (
            <p key={id}>
              {w.skipped}: {id} ({why})
            </p>
          ))}
        </Card>
      )}
      {books.data && (
        <Table
          label={w.difference}
          rows={books.data.differences}
          keyOf={(row) => row.key}
          empty={<Empty title={w.none} />}
          columns={[
            { key: 'subject', title: w.difference, isTitle: true, cell: (row) => `${row.subject}: ${row.detail}` },
            { key: 'book', title: w.book, cell: (row) => row.book },
            { key: 'mend', title: w.mend, cell: (row) => row.mend.words },
          ]}
        />
      )}
    </>
  );
}
