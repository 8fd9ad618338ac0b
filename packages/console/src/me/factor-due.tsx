import { momentText, readMoment } from '../parts/moment.tsx';
import { who } from '../session/who.ts';
import { words } from './words.ts';

/** Who needs a second factor and has none is told on every page, before the account is closed to it and after. */
export default function FactorDue() {
  const w = words();
  const due = who.value?.account.factor_due_at;
  if (!due) return null;
  return (
    <div class="bar accent" role="status">
      {w.due(momentText(readMoment(due), true))} <a href="/app/me">{w.dueDo}</a>
    </div>
  );
}
