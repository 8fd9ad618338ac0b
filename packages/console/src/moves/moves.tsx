import { useState } from 'preact/hooks';
import { type CallOptions, call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { Empty } from '../components/empty.tsx';
import { Listing } from '../components/listing.tsx';
import { Moment, momentText, readMoment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { toast } from '../components/toast.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { useChange } from '../domains/change.ts';
import { VerbDialog } from '../domains/verb-dialog.tsx';
import { isCustomer, may } from '../session/current-session.ts';
import { Claim } from './claim.tsx';
import { label } from './label.ts';
import { messages } from './messages.ts';

type Move = Schema<'Move'>;
type Answer = 'accept' | 'decline';

const pageSize = 25;

/** Confirms accepting or declining an offer. Accepting makes this account responsible for the domain. */
function AnswerMove({
  move,
  answer,
  onClose,
}: {
  readonly move: Move;
  readonly answer: Answer;
  readonly onClose: () => void;
}) {
  const t = messages();
  const change = useChange();
  const { domain_name: name, direction } = move;
  const verb = answer === 'accept' ? t.accept : direction === 'out' ? t.withdraw : t.decline;
  const end = move.expires_at ? momentText(readMoment(move.expires_at)) : '–';
  const text =
    answer === 'accept'
      ? t.acceptText(name, move.from_reseller_id, move.to_customer_id, end)
      : direction === 'out'
        ? t.withdrawText(name)
        : t.declineText(name);
  const path = { move_id: move.move_id };
  const submit = async () => {
    let outcome: Move['state'] | undefined;
    const act = async (options: CallOptions) => {
      const response =
        answer === 'accept'
          ? await call('post', '/moves/{move_id}/accept', { path }, options)
          : await call('post', '/moves/{move_id}/decline', { path }, options);
      outcome = response.body.state;
      return response;
    };
    if (!(await change.run(act)) || !outcome) return;
    await invalidate('/moves');
    toast(
      outcome === 'done'
        ? t.movedHere(name)
        : outcome === 'declined'
          ? t.declined(name)
          : t.endedInState(name, t.states[outcome]),
    );
    onClose();
  };
  return (
    <VerbDialog
      title={t.verbFor(verb, name)}
      verb={verb}
      change={change}
      isDanger={answer === 'decline'}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{text}</p>
    </VerbDialog>
  );
}

const tones: Readonly<Record<string, 'good' | 'warn' | 'accent'>> = {
  done: 'good',
  offered: 'accent',
  pending: 'warn',
};

function State({ move }: { readonly move: Move }) {
  const t = messages();
  return (
    <>
      <Badge tone={tones[move.state] ?? 'plain'}>{t.states[move.state]}</Badge>
      {move.reason && <p class="faint">{move.reason}</p>}
    </>
  );
}

/** Only the receiving account can accept. Both accounts can end the offer. */
function Answers({ move, onAnswer }: { readonly move: Move; readonly onAnswer: (answer: Answer) => void }) {
  const t = messages();
  const isOpen = move.state === 'offered' || (move.state === 'asked' && move.direction === 'out');
  if (!isOpen || !may('domains:write')) return <span class="faint">–</span>;
  const no = move.direction === 'out' ? t.withdraw : t.decline;
  return (
    <span class="row">
      {move.direction === 'in' && (
        <Button
          small
          kind="primary"
          aria-label={t.verbFor(t.accept, move.domain_name)}
          onClick={() => onAnswer('accept')}
        >
          {t.accept}
        </Button>
      )}
      <Button small aria-label={t.verbFor(no, move.domain_name)} onClick={() => onAnswer('decline')}>
        {no}
      </Button>
    </span>
  );
}

function Offers() {
  const t = messages();
  const { page } = usePageUrl();
  const moves = useResource('/moves', { query: { limit: pageSize, page_no: page } });
  const [pending, setPending] = useState<{ readonly move: Move; readonly answer: Answer }>();
  return (
    <>
      <Listing
        label={t.list}
        list={moves}
        size={pageSize}
        keyOf={(row) => row.move_id}
        none={<Empty title={t.none}>{t.noneText}</Empty>}
        columns={[
          { key: 'name', title: t.name, isTitle: true, cell: (row: Move) => <DomainName name={row.domain_name} /> },
          { key: 'direction', title: t.direction, cell: (row) => t.directions[row.direction] },
          {
            key: 'other',
            title: t.other,
            cell: (row) => (row.direction === 'in' ? row.from_reseller_id : row.to_reseller_id),
          },
          { key: 'state', title: t.state, cell: (row) => <State move={row} /> },
          { key: 'until', title: t.until, cell: (row) => <Moment at={row.until} isBusiness withTime /> },
          {
            key: 'do',
            title: t.actions,
            cell: (row) => <Answers move={row} onAnswer={(answer) => setPending({ move: row, answer })} />,
          },
        ]}
      />
      {pending && <AnswerMove {...pending} onClose={() => setPending(undefined)} />}
    </>
  );
}

export default function Moves() {
  const t = messages();
  return (
    <>
      <PageHead
        title={label().title}
        lead={t.lead}
        actions={<CopyCurl method="get" address="/v1/moves?direction=in&state=offered" />}
      />
      <Offers />
      {may('domains:write') && !isCustomer() && <Claim />}
    </>
  );
}
