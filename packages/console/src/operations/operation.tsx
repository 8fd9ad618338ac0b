import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { isCustomer, may } from '../session/who.ts';
import { State } from './state.tsx';
import { Now, OperationLine, useOperation } from './step-line.tsx';
import { words } from './words.ts';

type Operation = Shape<'Operation'>;

/** Only while nothing has left for the registry; what waits for a yes is declined, not cancelled. */
const canCancel = ({ state, approval }: Operation) => state === 'intended' && approval === null;

function Cancel({ operation }: { readonly operation: Operation }) {
  const w = words();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Trouble>();
  const cancel = async () => {
    setBusy(true);
    try {
      await call('post', '/operations/{operation_id}/cancel', { path: { operation_id: operation.operation_id } });
      toast(w.cancelled);
    } catch (error) {
      setRefused(asTrouble(error));
    } finally {
      setBusy(false);
      await changed('/operations', '/domains', '/account');
    }
  };
  return (
    <>
      {refused && <TroubleNote trouble={refused} />}
      {canCancel(operation) && (
        <div class="row">
          <Button kind="danger" busy={busy} onClick={() => void cancel()}>
            {w.cancel}
          </Button>
          <span class="faint">{w.cancelText}</span>
        </div>
      )}
    </>
  );
}

function Evidence({ operation }: { readonly operation: Operation }) {
  const w = words();
  const copied = (text: string | null) => (text ? <CopyText text={text} /> : <span class="faint">–</span>);
  const rows = [
    [w.id, copied(operation.operation_id)],
    [w.registry, operation.registry ?? '–'],
    [w.clTRID, copied(operation.cltrid)],
    [w.svTRID, copied(operation.svtrid)],
    [w.transaction, operation.transaction_id ? <a href="/app/money">{operation.transaction_id}</a> : '–'],
    [w.proof, operation.proof ? w.proofs[operation.proof] : '–'],
    [w.attempts, String(operation.attempts)],
    [w.request, copied(operation.request_id)],
    [w.placedAt, <Moment key="c" at={operation.created_at} withTime />],
    [w.endedAt, <Moment key="f" at={operation.finished_at ?? ''} withTime />],
  ] as const;
  return (
    <Card title={w.evidence}>
      <Facts rows={rows} />
    </Card>
  );
}

function Done({ operation }: { readonly operation: Operation }) {
  const w = words();
  return (
    <Card title={w.commands}>
      <Table
        label={w.commands}
        rows={operation.steps}
        keyOf={(row) => `${row.name} ${row.at}`}
        empty={<p>{w.noCommands}</p>}
        columns={[
          { key: 'name', title: w.command, isTitle: true, cell: (row) => row.name.replaceAll('_', ' ') },
          { key: 'result', title: w.result, cell: (row) => (row.result ?? '–').replaceAll('_', ' ') },
          { key: 'code', title: w.code, isNumber: true, cell: (row) => row.code ?? '–' },
          { key: 'at', title: w.at, cell: (row) => <Moment at={row.at} withTime /> },
        ]}
      />
    </Card>
  );
}

export default function OperationPage() {
  const w = words();
  const id = useRoute().params.id ?? '';
  const said = useOperation(id);
  const operation = said.data;
  const name = operation?.domain_name;
  return (
    <>
      <PageHead
        title={operation ? `${w.kindOf(operation.kind)}${name ? `: ${name}` : ''}` : w.operation}
        lead={
          operation && (
            <>
              <State state={operation.state} /> {name && <a href={`/app/domains/${name}`}>{w.toName}</a>}
            </>
          )
        }
        actions={<CopyCurl method="get" address={`/v1/operations/${id}`} />}
      />
      {said.trouble && <TroubleNote trouble={said.trouble} />}
      {said.isLoading && <Waiting />}
      {operation && (
        <>
          <Card title={w.line}>
            <OperationLine operation={operation} />
          </Card>
          <Now operation={operation} />
          {may('domains:write') && <Cancel operation={operation} />}
          <div class="columns">
            {!isCustomer() && <Evidence operation={operation} />}
            <Done operation={operation} />
          </div>
        </>
      )}
    </>
  );
}
