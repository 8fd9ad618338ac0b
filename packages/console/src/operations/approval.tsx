import { useState } from 'preact/hooks';
import { useNames } from '../activity/entry.tsx';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Facts } from '../components/facts.tsx';
import { ActDialog } from '../components/form-dialog.tsx';
import { Moment, momentText, readMoment } from '../components/moment.tsx';
import { toast } from '../components/toast.tsx';
import { invalidate, useResource } from '../data/resource.ts';
import { currentSession, isCustomer, may } from '../session/current-session.ts';
import { isAwaitingApproval, kindText } from './line.ts';
import { messages } from './messages.ts';

type Operation = Schema<'Operation'>;

/** The name of the user, or the label of the key, that requested a change. Undefined if the reader may not see it. */
function useRequester(operation: Operation): string | undefined {
  const isNeeded = isAwaitingApproval(operation);
  const nameOf = useNames(isNeeded);
  const id = operation.approval?.asked_by;
  return isNeeded && id ? nameOf(id) : undefined;
}

/** Who requested a change that waits for approval. Nothing for other operations. */
export function RequestedBy({ operation }: { readonly operation: Operation }) {
  const name = useRequester(operation);
  return name === undefined ? null : <span class="faint"> {messages().requestedByName(name)}</span>;
}

type Answer = 'approve' | 'reject';
const paths = {
  approve: '/operations/{operation_id}/approve',
  reject: '/operations/{operation_id}/decline',
} as const;

function AnswerDialog({
  operation,
  answer,
  onClose,
}: {
  readonly operation: Operation;
  readonly answer: Answer;
  readonly onClose: () => void;
}) {
  const t = messages();
  const { operation_id, domain_name } = operation;
  const { verb, text, done } = t.answers[answer];
  const send = async () => {
    await call('post', paths[answer], { path: { operation_id } });
    await invalidate('/operations', '/domains', '/account');
    toast(done);
    onClose();
  };
  return (
    <ActDialog title={verb} verb={verb} isDanger={answer === 'reject'} onClose={onClose} act={send}>
      <p>
        <strong>{[kindText(operation), domain_name].filter(Boolean).join(': ')}</strong>
      </p>
      <p>{text}</p>
    </ActDialog>
  );
}

/** Who requested what, with the buttons that approve or reject it. */
export function Approval({ operation }: { readonly operation: Operation }) {
  const t = messages();
  const requester = useRequester(operation);
  const [answer, setAnswer] = useState<Answer>();
  const { approval } = operation;
  if (!approval || !isAwaitingApproval(operation)) return null;
  const isOwn = approval.asked_by === currentSession.value?.person.person_id;
  const canApprove = !isOwn && !approval.requester_revoked;
  return (
    <Card title={t.approvalNeeded}>
      <Facts
        rows={[
          [t.requestedChange, kindText(operation)],
          [t.requestedBy, requester ?? <CopyText key="by" text={approval.asked_by} />],
          [t.approvalUntil, <Moment key="until" at={approval.until} withTime />],
        ]}
      />
      {isOwn && <p class="faint">{t.ownRequest}</p>}
      {approval.requester_revoked && <p class="faint">{t.requesterRemoved}</p>}
      {may('domains:write') && (
        <div class="actions">
          {canApprove && (
            <Button kind="primary" onClick={() => setAnswer('approve')}>
              {t.answers.approve.verb}
            </Button>
          )}
          <Button kind={canApprove ? 'plain' : 'danger'} onClick={() => setAnswer('reject')}>
            {t.answers.reject.verb}
          </Button>
        </div>
      )}
      {answer && <AnswerDialog operation={operation} answer={answer} onClose={() => setAnswer(undefined)} />}
    </Card>
  );
}

/** Changes of a domain that wait for approval, except the one that the page already shows. */
export function WaitingChanges({
  domainId,
  shownId,
}: {
  readonly domainId: string;
  readonly shownId: string | undefined;
}) {
  const t = messages();
  const query = { domain_id: domainId, state: 'action_required', limit: 10 } as const;
  const rows = useResource('/operations', { query }).data ?? [];
  const text = isCustomer() ? t.waitingChangeOfCustomer : t.waitingChange;
  return (
    <>
      {rows.map((each) =>
        each.approval && !each.approval.answer && each.operation_id !== shownId ? (
          <div key={each.operation_id} class="note warn" role="status">
            <div>
              <strong>{text(kindText(each), momentText(readMoment(each.approval.until), true))}</strong>
              <p>
                <RequestedBy operation={each} /> <a href={`/app/operations/${each.operation_id}`}>{t.viewRequest}</a>
              </p>
            </div>
          </div>
        ) : null,
      )}
    </>
  );
}
