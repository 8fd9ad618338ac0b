import { useId, useLayoutEffect, useState } from 'preact/hooks';
import type { ApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { endingOf } from '../buy/cart.ts';
import { LinePrice, PriceChange, type LineState as Priced, Refused } from '../buy/line.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Icon } from '../components/icon.tsx';
import { momentText, readMoment } from '../components/moment.tsx';
import { useResource } from '../data/resource.ts';
import { TransferIn } from '../domains/delete-or-transfer.tsx';
import { agreedTo, replacedQuote, useQuote } from '../domains/quote.ts';
import { registrarText } from '../domains/registrar-text.ts';
import { addYears } from '../domains/years.ts';
import { refusalText } from '../messages/refusal.ts';
import { StepLine, useOperation } from '../operations/step-line.tsx';
import { isOrdered, type Line } from './draft.ts';
import { messages } from './messages.ts';
import { useValidity } from './validity.ts';

/** State of a line that is not stored. */
export interface LineState extends Omit<Priced, 'hasPrivacy'> {
  /** The registry check found no obstacle. */
  readonly canCome?: boolean | undefined;
}

interface Props {
  readonly line: Line;
  readonly code: string;
  readonly lineState: LineState;
  readonly onCode: (code: string) => void;
  readonly onLineState: (change: LineState) => void;
  readonly onRemove: () => void;
  readonly onCheckStatus: () => void;
}

export function TransferLine(props: Props) {
  const { line, lineState } = props;
  const { error } = lineState;
  // The error is shown at the code, with the price or with the obstacles.
  const isShownElsewhere = error?.fields.some(({ field }) => field === 'auth_code') || error?.code === 'price_guard';
  return (
    <li class="cart-line">
      {isOrdered(line) ? <OrderedLine line={line} /> : line.sent ? <SentLine {...props} /> : <OpenLine {...props} />}
      {error && !isShownElsewhere && !isOrdered(line) && !line.sent && <Refused line={line} error={error} />}
    </li>
  );
}

/** Visible as text, because users compare it with a letter. The browser does not store, check or suggest it. */
function CodeField({ line, code, lineState, onCode }: Props) {
  const t = messages();
  const id = useId();
  const { error } = lineState;
  const wrong =
    error?.code === 'idempotency_mismatch'
      ? t.differentCode
      : refusalText(error?.fields.find(({ field }) => field === 'auth_code')?.message ?? '');
  return (
    <div class={`field${wrong ? ' wrong' : ''}`}>
      <label for={id}>{t.code(line.name)}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        aria-invalid={wrong !== ''}
        aria-describedby={`${id}-note`}
        value={code}
        onInput={(event) => onCode(event.currentTarget.value)}
      />
      <div class="hint" id={`${id}-note`}>
        {wrong ? <p class="wrong-text">{wrong}</p> : line.sent && code === '' && <p>{t.codeNotStored}</p>}
      </div>
    </div>
  );
}

function Row({
  line,
  lineState,
  onRemove,
}: Pick<Props, 'line' | 'lineState'> & { readonly onRemove?: (() => void) | undefined }) {
  const t = messages();
  return (
    <div class="cart-row short">
      <strong>
        <DomainName name={line.name} />
      </strong>
      <span class="grow" />
      {lineState.quote && <LinePrice quote={lineState.quote} />}
      {onRemove && (
        <button type="button" class="button quiet small" aria-label={t.remove(line.name)} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

function OpenLine(props: Props) {
  const { line, lineState, onLineState, onRemove } = props;
  const t = messages();
  const { known, error: inTheWay, again } = useValidity(line.name);
  const tld = useResource('/tlds/{name}', { path: { name: endingOf(line.name) } });
  const canCome = inTheWay ? false : known && true;
  const quoteRequest = { kind: 'transfer', domain_name: line.name } as const;
  const { quote, error } = useQuote(canCome ? quoteRequest : undefined, lineState.round ?? 0);
  // Runs before the next click, so that no button shows an outdated price.
  useLayoutEffect(
    () => onLineState({ quote, canCome, agreed: agreedTo(lineState.agreed, line.name, quote) }),
    [quote, canCome],
  );
  const before = replacedQuote(lineState.agreed, quote);
  const end = known?.expiry_date ? readMoment(known.expiry_date) : undefined;
  return (
    <>
      <Row line={line} lineState={lineState} onRemove={onRemove} />
      {!known && !inTheWay && <p class="faint">{t.checking}</p>}
      {inTheWay && <Obstacles name={line.name} error={inTheWay} onRetry={again} />}
      {known && (
        <p class="faint">
          {known.registrar && `${t.currentRegistrarIs(registrarText(known.registrar))} `}
          {end && `${t.ends(momentText(end))}${t.endsThen(momentText(addYears(end, known.years)))} `}
          {tld.data && t.decisionPeriod(tld.data.rules.grace_days.pending_transfer)}
        </p>
      )}
      {known && <CodeField {...props} />}
      {error && <ErrorBanner error={error} />}
      {before && quote && (
        <PriceChange before={before} quote={quote} onAccept={() => onLineState({ agreed: { of: line.name, quote } })} />
      )}
    </>
  );
}

interface Obstacle {
  readonly reason: string;
  readonly sentence: string;
  readonly from: string | null;
}

/** Each obstacle with its solution and the date from which a transfer is possible. */
function Obstacles({
  name,
  error,
  onRetry,
}: {
  readonly name: string;
  readonly error: ApiError;
  readonly onRetry: () => void;
}) {
  const t = messages();
  const { obstacles, possible_from: from } = error.facts as {
    readonly obstacles?: readonly Obstacle[];
    readonly possible_from?: string | null;
  };
  const isHere = obstacles?.some(({ reason }) => reason === 'already_here') ?? false;
  const own = useResource('/domains', isHere ? { query: { domain_name: name } } : undefined);
  if (!obstacles) return <ErrorBanner error={error} onRetry={onRetry} />;
  if (isHere && own.isLoading) return null;
  if (own.data?.some(({ domain_name }) => domain_name === name))
    return (
      <div class="note warn" role="status">
        <div>
          <p>{t.alreadyOwned}</p>
          <ButtonLink small href={`/app/domains/${name}`}>
            {t.open}
          </ButtonLink>
        </div>
      </div>
    );
  const day = (at: string | null) => (at ? momentText(readMoment(at)) : '');
  const has = (reason: string) => obstacles.some((each) => each.reason === reason);
  return (
    <div class="note warn" role="status">
      <div>
        <strong>{t.notTransferable}</strong>
        <ul class="points">
          {obstacles.map((each) => (
            <li key={each.reason}>{t.obstacles[each.reason]?.(day(each.from)) ?? each.sentence}</li>
          ))}
        </ul>
        {from && <p>{t.possibleFrom(day(from))}</p>}
        <div class="row">
          {isHere && (
            <ButtonLink small href="/app/moves">
              {t.toMoves}
            </ButtonLink>
          )}
          {has('not_registered') && (
            <ButtonLink small href="/app/domains/new">
              {t.toBuy}
            </ButtonLink>
          )}
          <Button small onClick={onRetry}>
            {t.checkAgain}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** A line whose order is in flight or has an unknown outcome. Only its status can be checked. */
function SentLine(props: Props) {
  const { line, code, lineState, onCheckStatus } = props;
  const t = messages();
  return (
    <>
      <Row line={line} lineState={{}} />
      {!lineState.busy && (
        <div class="note warn" role="alert">
          <div>
            <strong>{t.unknown}</strong>
            <p>{t.unknownText}</p>
            {code === '' || lineState.error ? <CodeField {...props} /> : null}
            <Button small disabled={code.trim() === ''} onClick={onCheckStatus}>
              {t.checkStatus}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

/** The progress of the transfer. While open, it can be cancelled or continued with a new code. */
function OrderedLine({ line }: { readonly line: Line }) {
  const t = messages();
  return (
    <>
      <div class="cart-row">
        <strong>
          <DomainName name={line.name} />
        </strong>
        <span class="grow" />
        <ButtonLink small href={`/app/domains/${line.name}`}>
          {t.open}
        </ButtonLink>
      </div>
      {line.operationId ? (
        <>
          <StepLine id={line.operationId} />
          {line.domainId && <Verbs name={line.name} domainId={line.domainId} operationId={line.operationId} />}
        </>
      ) : (
        <div class="note" role="status">
          {t.waiting}
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
  const t = messages();
  const [verb, setVerb] = useState<'cancel_transfer' | 'new_auth_code'>();
  const operation = useOperation(operationId);
  const isOpen = operation.data !== undefined && !operation.data.is_final;
  const domain = useResource('/domains/{domain_id}', isOpen ? { path: { domain_id: domainId } } : undefined);
  if (!isOpen) return null;
  const { status, action_at: by } = (domain.data as Schema<'DomainDetail'> | undefined)?.transfer ?? {};
  return (
    <>
      {by && <p>{t.decidedBy(momentText(readMoment(by)))}</p>}
      <div class="row">
        {status === 'code_refused' && (
          <Button small kind="primary" onClick={() => setVerb('new_auth_code')}>
            {t.enterNewCode}
          </Button>
        )}
        <Button small kind="danger" onClick={() => setVerb('cancel_transfer')}>
          {t.cancelTransfer}
        </Button>
      </div>
      {verb && (
        <TransferIn
          name={name}
          domainId={domainId}
          isCancel={verb === 'cancel_transfer'}
          onClose={() => setVerb(undefined)}
        />
      )}
    </>
  );
}
