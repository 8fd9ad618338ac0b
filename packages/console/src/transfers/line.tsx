import { useId, useLayoutEffect, useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import type { Trouble } from '../api/trouble.ts';
import { endingOf } from '../buy/basket.ts';
import { Changed, type Standing as Priced, Refused } from '../buy/line.tsx';
import { useResource } from '../data/resource.ts';
import { TransferIn } from '../domains/end.tsx';
import { agreedTo, seenBefore, useQuote } from '../domains/quote.ts';
import { addYears } from '../domains/years.ts';
import { StepLine, useOperation } from '../operations/step-line.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { momentText, readMoment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { NameText } from '../parts/name-text.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { useValidity } from './validity.ts';
import { isOrdered, type Line } from './wanted.ts';
import { words } from './words.ts';

/** What the page knows of a line beyond what may be kept. */
export interface Standing extends Omit<Priced, 'hasPrivacy'> {
  /** Nothing that the registry shows is in the way. */
  readonly canCome?: boolean | undefined;
}

interface Given {
  readonly line: Line;
  readonly code: string;
  readonly standing: Standing;
  readonly onCode: (code: string) => void;
  readonly onStanding: (change: Standing) => void;
  readonly onRemove: () => void;
  readonly onAsk: () => void;
}

export function TransferLine(given: Given) {
  const { line, standing } = given;
  const { trouble } = standing;
  // Said at the code itself, beside the price, or by what is in the way.
  const isSaidElsewhere = trouble?.fields.some(({ field }) => field === 'auth_code') || trouble?.code === 'price_guard';
  return (
    <li class="basket-line">
      {isOrdered(line) ? <Ordered line={line} /> : line.sent ? <Sent {...given} /> : <Open {...given} />}
      {trouble && !isSaidElsewhere && !isOrdered(line) && !line.sent && <Refused line={line} trouble={trouble} />}
    </li>
  );
}

/** In the clear, as it is compared with a letter or a mail; no browser keeps it, spells it out elsewhere or offers it again. */
function CodeField({ line, code, standing, onCode }: Given) {
  const w = words();
  const id = useId();
  const { trouble } = standing;
  const wrong =
    trouble?.code === 'idempotency_mismatch'
      ? w.notThatCode
      : trouble?.fields.find(({ field }) => field === 'auth_code')?.message;
  return (
    <div class={`field${wrong ? ' wrong' : ''}`}>
      <label for={id}>{w.code(line.name)}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-note`}
        value={code}
        onInput={(event) => onCode(event.currentTarget.value)}
      />
      <div class="hint" id={`${id}-note`}>
        {wrong ? <p class="wrong-text">{wrong}</p> : line.sent && code === '' && <p>{w.codeGone}</p>}
      </div>
    </div>
  );
}

function Row({
  line,
  standing,
  onRemove,
}: Pick<Given, 'line' | 'standing'> & { readonly onRemove?: (() => void) | undefined }) {
  const w = words();
  return (
    <div class="basket-row short">
      <strong>
        <NameText name={line.name} />
      </strong>
      <span class="grow" />
      {standing.quote && (
        <span class="price">
          <Money {...standing.quote.total} />
        </span>
      )}
      {onRemove && (
        <button type="button" class="button quiet small" aria-label={w.remove(line.name)} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

function Open(given: Given) {
  const { line, standing, onStanding, onRemove } = given;
  const w = words();
  const { known, trouble: inTheWay, again } = useValidity(line.name);
  const tld = useResource('/tlds/{name}', { path: { name: endingOf(line.name) } });
  const canCome = inTheWay ? false : known && true;
  const asked = { kind: 'transfer', domain_name: line.name } as const;
  const { quote, trouble } = useQuote(canCome ? asked : undefined, standing.round ?? 0);
  // Before the next click: no button offers the price of what was looked at before.
  useLayoutEffect(
    () => onStanding({ quote, canCome, agreed: agreedTo(standing.agreed, line.name, quote) }),
    [quote, canCome],
  );
  const before = seenBefore(standing.agreed, quote);
  const end = known?.expiry_date ? readMoment(known.expiry_date) : undefined;
  return (
    <>
      <Row line={line} standing={standing} onRemove={onRemove} />
      {!known && !inTheWay && <p class="faint">{w.looking}</p>}
      {inTheWay && <InTheWay trouble={inTheWay} onAgain={again} />}
      {known && (
        <p class="faint">
          {known.registrar && `${w.at(known.registrar)} `}
          {end && `${w.ends(momentText(end))}${w.endsThen(momentText(addYears(end, known.years)))} `}
          {tld.data && w.decides(tld.data.rules.grace_days.pending_transfer)}
        </p>
      )}
      {known && <CodeField {...given} />}
      {trouble && <TroubleNote trouble={trouble} />}
      {before && quote && (
        <Changed before={before} quote={quote} onYes={() => onStanding({ agreed: { of: line.name, quote } })} />
      )}
    </>
  );
}

interface Obstacle {
  readonly reason: string;
  readonly sentence: string;
  readonly from: string | null;
}

/** Every reason, what helps, and from when on time has ended them. */
function InTheWay({ trouble, onAgain }: { readonly trouble: Trouble; readonly onAgain: () => void }) {
  const w = words();
  const { obstacles, possible_from: from } = trouble.facts as {
    readonly obstacles?: readonly Obstacle[];
    readonly possible_from?: string | null;
  };
  if (!obstacles) return <TroubleNote trouble={trouble} onAgain={onAgain} />;
  const day = (at: string | null) => (at ? momentText(readMoment(at)) : '');
  const has = (reason: string) => obstacles.some((each) => each.reason === reason);
  return (
    <div class="note warn" role="status">
      <div>
        <strong>{w.cannot}</strong>
        <ul class="points">
          {obstacles.map((each) => (
            <li key={each.reason}>{w.obstacles[each.reason]?.(day(each.from)) ?? each.sentence}</li>
          ))}
        </ul>
        {from && <p>{w.possibleFrom(day(from))}</p>}
        <div class="row">
          {has('already_here') && (
            <ButtonLink small href="/app/moves">
              {w.toMoves}
            </ButtonLink>
          )}
          {has('not_registered') && (
            <ButtonLink small href="/app/domains/new">
              {w.toBuy}
            </ButtonLink>
          )}
          <Button small onClick={onAgain}>
            {w.lookAgain}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** On its way, or without an answer: the order itself is not to be placed once more, only asked about. */
function Sent(given: Given) {
  const { line, code, standing, onAsk } = given;
  const w = words();
  return (
    <>
      <Row line={line} standing={{}} />
      {!standing.busy && (
        <div class="note warn" role="alert">
          <div>
            <strong>{w.unknown}</strong>
            <p>{w.unknownText}</p>
            {code === '' || standing.trouble ? <CodeField {...given} /> : null}
            <Button small disabled={code.trim() === ''} onClick={onAsk}>
              {w.ask}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

/** Its steps; while it is open it can be given up, or go on with another code. */
function Ordered({ line }: { readonly line: Line }) {
  const w = words();
  return (
    <>
      <div class="basket-row">
        <strong>
          <NameText name={line.name} />
        </strong>
        <span class="grow" />
        <ButtonLink small href={`/app/domains/${line.name}`}>
          {w.open}
        </ButtonLink>
      </div>
      {line.operationId ? (
        <>
          <StepLine id={line.operationId} />
          {line.domainId && <Verbs name={line.name} domainId={line.domainId} operationId={line.operationId} />}
        </>
      ) : (
        <div class="note" role="status">
          {w.waiting}
        </div>
      )}
    </>
  );
}

function Verbs({
  name,
  domainId,
  operationId,
}: {
  readonly name: string;
  readonly domainId: string;
  readonly operationId: string;
}) {
  const w = words();
  const [verb, setVerb] = useState<'give_up' | 'other_code'>();
  const operation = useOperation(operationId);
  const isOpen = operation.data !== undefined && !operation.data.is_final;
  const domain = useResource('/domains/{domain_id}', isOpen ? { path: { domain_id: domainId } } : undefined);
  if (!isOpen) return null;
  const { status, action_at: by } = (domain.data as Shape<'DomainDetail'> | undefined)?.transfer ?? {};
  return (
    <>
      {by && <p>{w.decidedBy(momentText(readMoment(by)))}</p>}
      <div class="row">
        {status === 'code_refused' && (
          <Button small kind="primary" onClick={() => setVerb('other_code')}>
            {w.otherCode}
          </Button>
        )}
        <Button small kind="danger" onClick={() => setVerb('give_up')}>
          {w.giveUp}
        </Button>
      </div>
      {verb && (
        <TransferIn name={name} domainId={domainId} isCancel={verb === 'give_up'} onClose={() => setVerb(undefined)} />
      )}
    </>
  );
}
