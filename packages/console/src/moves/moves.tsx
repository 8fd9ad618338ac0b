import { useState } from 'preact/hooks';
import { call, type Manner } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { changed, useResource } from '../data/resource.ts';
import { useChange } from '../domains/change.ts';
import { VerbDialog } from '../domains/verb-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Badge } from '../parts/light.tsx';
import { Listing } from '../parts/listing.tsx';
import { Moment, momentText, readMoment } from '../parts/moment.tsx';
import { NameText } from '../parts/name-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { toast } from '../parts/toast.tsx';
import { isCustomer, may } from '../session/who.ts';
import { Claim } from './claim.tsx';
import { label } from './label.ts';
import { words } from './words.ts';

type Move = Shape<'Move'>;
type Answer = 'accept' | 'decline';

const pageSize = 25;

/** What is agreed to, and the answer; a name that comes is answered for from then on. */
function AnswerMove({
  move,
  answer,
  onClose,
}: {
  readonly move: Move;
  readonly answer: Answer;
  readonly onClose: () => void;
}) {
  const w = words();
  const change = useChange();
  const { domain_name: name, direction } = move;
  const verb = answer === 'accept' ? w.accept : direction === 'out' ? w.takeBack : w.decline;
  const end = move.expires_at ? momentText(readMoment(move.expires_at)) : '–';
  const text =
    answer === 'accept'
      ? w.acceptText(name, move.from_reseller_id, move.to_customer_id, end)
      : direction === 'out'
        ? w.takeBackText(name)
        : w.declineText(name);
  const path = { move_id: move.move_id };
  const submit = async () => {
    let said: Move['state'] | undefined;
    const act = async (manner: Manner) => {
      const answered =
        answer === 'accept'
          ? await call('post', '/moves/{move_id}/accept', { path }, manner)
          : await call('post', '/moves/{move_id}/decline', { path }, manner);
      said = answered.body.state;
      return answered;
    };
    if (!(await change.run(act)) || !said) return;
    await changed('/moves');
    toast(said === 'done' ? w.taken(name) : said === 'declined' ? w.declined(name) : w.ended(name, w.states[said]));
    onClose();
  };
  return (
    <VerbDialog
      title={w.verbFor(verb, name)}
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

const tones: Readonly<Record<string, 'good' | 'warn' | 'accent'>> = { done: 'good', offered: 'accent', asked: 'warn' };

function State({ move }: { readonly move: Move }) {
  const w = words();
  return (
    <>
      <Badge tone={tones[move.state] ?? 'plain'}>{w.states[move.state]}</Badge>
      {move.reason && <p class="faint">{move.reason}</p>}
    </>
  );
}

/** Only who was offered a name accepts it; either side can say no while it waits. */
function Answers({ move, onAnswer }: { readonly move: Move; readonly onAnswer: (answer: Answer) => void }) {
  const w = words();
  const isOpen = move.state === 'offered' || (move.state === 'asked' && move.direction === 'out');
  if (!isOpen || !may('domains:write')) return <span class="faint">–</span>;
  const no = move.direction === 'out' ? w.takeBack : w.decline;
  return (
    <span class="row">
      {move.direction === 'in' && (
        <Button
          small
          kind="primary"
          aria-label={w.verbFor(w.accept, move.domain_name)}
          onClick={() => onAnswer('accept')}
        >
          {w.accept}
        </Button>
      )}
      <Button small aria-label={w.verbFor(no, move.domain_name)} onClick={() => onAnswer('decline')}>
        {no}
      </Button>
    </span>
  );
}

function Offers() {
  const w = words();
  const { page } = useAddress();
  const moves = useResource('/moves', { query: { limit: pageSize, page_no: page } });
  const [asked, setAsked] = useState<{ readonly move: Move; readonly answer: Answer }>();
  return (
    <>
      <Listing
        label={w.list}
        list={moves}
        size={pageSize}
        keyOf={(row) => row.move_id}
        none={<Empty title={w.none}>{w.noneText}</Empty>}
        columns={[
          { key: 'name', title: w.name, isTitle: true, cell: (row: Move) => <NameText name={row.domain_name} /> },
          { key: 'direction', title: w.direction, cell: (row) => w.directions[row.direction] },
          {
            key: 'other',
            title: w.other,
            cell: (row) => (row.direction === 'in' ? row.from_reseller_id : row.to_reseller_id),
          },
          { key: 'state', title: w.state, cell: (row) => <State move={row} /> },
          { key: 'until', title: w.until, cell: (row) => <Moment at={row.until} isBusiness withTime /> },
          {
            key: 'do',
            title: w.does,
            cell: (row) => <Answers move={row} onAnswer={(answer) => setAsked({ move: row, answer })} />,
          },
        ]}
      />
      {asked && <AnswerMove {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

export default function Moves() {
  const w = words();
  return (
    <>
      <PageHead
        title={label().title}
        lead={w.lead}
        actions={<CopyCurl method="get" address="/v1/moves?direction=in&state=offered" />}
      />
      <Offers />
      {may('domains:write') && !isCustomer() && <Claim />}
    </>
  );
}
