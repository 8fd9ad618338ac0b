import { momentText, readMoment } from '../components/moment.tsx';
import { currentSession } from '../session/current-session.ts';
import { messages } from './messages.ts';

/** Shown on every page to users who must set up two-factor authentication. */
export default function FactorDue() {
  const t = messages();
  const due = currentSession.value?.account.factor_due_at;
  if (!due) return null;
  return (
    <div class="bar accent" role="status">
      {t.setUpBy(momentText(readMoment(due), true))} <a href="/app/me">{t.setUpNow}</a>
    </div>
  );
}
