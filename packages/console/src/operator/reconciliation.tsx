import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty, Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import { Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { invalidate, useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { messages } from './messages.ts';

function CompareNow({
  isRunning,
  onError,
}: {
  readonly isRunning: boolean;
  readonly onError: (error?: ApiError) => void;
}) {
  const t = messages();
  const [busy, setBusy] = useState(false);
  const compare = async () => {
    setBusy(true);
    try {
      const { body } = await call('post', '/operator/verify', {});
      onError(undefined);
      toast(t.requested[body.state]);
      await invalidate('/operator/reconciliation');
    } catch (cause) {
      onError(asApiError(cause));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button kind="primary" busy={busy || isRunning} onClick={() => void compare()}>
      {t.compare}
    </Button>
  );
}

export default function Reconciliation() {
  const t = messages();
  const reconciliation = useResource('/operator/reconciliation', {}, { everyMs: 5_000 });
  const [refused, setRefused] = useState<ApiError>();
  const isRunning = Boolean(reconciliation.data?.running_since);
  const run = reconciliation.data?.last_run;
  return (
    <>
      <PageHead
        title={t.reconciliation}
        lead={t.reconciliationLead}
        actions={
          <>
            {may('account:write') && <CompareNow isRunning={isRunning} onError={setRefused} />}
            <CopyCurl method="get" address="/v1/operator/reconciliation" />
          </>
        }
      />
      {refused && <ErrorBanner error={refused} />}
      {reconciliation.error && <ErrorBanner error={reconciliation.error} onRetry={reconciliation.refetch} />}
      {!reconciliation.data && !reconciliation.error && <Skeleton />}
      {reconciliation.data && (
        <Card title={t.lastRun}>
          <p role="status">
            {isRunning && `${t.running} `}
            {run ? (
              <StatusIcon kind={run.differences === 0 ? 'good' : 'bad'}>
                {run.differences === 0 ? t.balanced : t.differences(run.differences)}
              </StatusIcon>
            ) : (
              t.neverReconciled
            )}
          </p>
          {run && (
            <p>
              <Moment at={run.finished_at ?? run.started_at} withTime />
              {' · '}
              <span class="faint">
                {t.counted}:{' '}
                {Object.entries(run.counts)
                  .map(([what, n]) => `${n} ${t.countedOf[what] ?? what}`)
                  .join(', ')}
              </span>
            </p>
          )}
          {run?.skipped.map(({ registry_id: id, why }) => (
            <p key={id}>
              {t.skipped}: {id} ({why})
            </p>
          ))}
        </Card>
      )}
      {reconciliation.data && (
        <Table
          label={t.difference}
          rows={reconciliation.data.differences}
          keyOf={(row) => row.key}
          empty={<Empty title={t.none} />}
          columns={[
            { key: 'subject', title: t.difference, isTitle: true, cell: (row) => `${row.subject}: ${row.detail}` },
            { key: 'source', title: t.source, cell: (row) => row.source },
            { key: 'repair', title: t.suggestedFix, cell: (row) => row.repair.message },
          ]}
        />
      )}
    </>
  );
}
