import type { Trouble } from '../api/trouble.ts';
import { refusalIn } from '../words/refusal.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { CopyText } from './copy-text.tsx';
import { Icon } from './icon.tsx';

interface Told {
  readonly title: string;
  readonly certain?: string;
  readonly advice?: string;
}

/** What happened, what is certain, what to do. */
function tell(trouble: Trouble): Told {
  const { trouble: w } = words();
  const { status, code } = trouble;
  const message = refusalIn(code) ?? trouble.message;
  if (code === 'page_failed') return { title: w.page, certain: message, advice: w.pageDo };
  if (trouble.isOffline) return { title: w.offline, certain: w.offlineCertain, advice: w.offlineDo };
  if (code === 'reauthentication_required') return { title: w.unproven, certain: w.nothingChanged };
  if (code === 'factor_required') return { title: w.factor, certain: w.nothingChanged, advice: w.factorDo };
  if (status === 404) return { title: w.notFound, advice: w.notFoundDo };
  if (status === 403) return { title: w.forbidden, certain: message, advice: w.forbiddenDo };
  if (status === 402) return { title: w.money, certain: message, advice: w.moneyDo };
  if (status === 412) return { title: w.changedMeanwhile, certain: w.nothingChanged, advice: w.changedDo };
  if (status === 429) return { title: w.tooMany, advice: w.tooManyDo(trouble.retryAfterSeconds ?? 60) };
  if (status >= 500) return { title: w.ours, advice: w.oursDo };
  if (status === 409) return { title: w.conflict, certain: message };
  return { title: message || w.ours, certain: w.nothingChanged };
}

export function TroubleNote({
  trouble,
  onAgain,
}: {
  readonly trouble: Trouble;
  readonly onAgain?: (() => void) | undefined;
}) {
  const w = words();
  const { title, certain, advice } = tell(trouble);
  return (
    <div class="note bad" role="alert" tabIndex={-1}>
      <Icon name="warn" />
      <div>
        <strong>{title}</strong>
        {certain && <p>{certain}</p>}
        {refusalIn(trouble.code) && trouble.message && (
          <p class="faint" lang="en">
            {trouble.message}
          </p>
        )}
        {advice && <p>{advice}</p>}
        {trouble.requestId && (
          <p class="faint">
            {w.requestId} <CopyText text={trouble.requestId} />
          </p>
        )}
        {onAgain && (
          <Button small onClick={onAgain}>
            {w.again}
          </Button>
        )}
      </div>
    </div>
  );
}
