import { call } from '../api/call.ts';
import { Button } from '../components/button.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { momentText, readMoment } from '../components/moment.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { currentSession } from '../session/current-session.ts';
import { messages } from './messages.ts';

/** Shown on every page to a user whose 2FA will be reset, until the reset is cancelled or done. */
export default function FactorResetNotice() {
  const t = messages();
  const { busy, error, perform } = useSubmit();
  const at = currentSession.value?.factors_end_at;
  if (!at) return null;
  const cancelReset = async () => {
    await call('delete', '/me/factor_reset', {});
    currentSession.value = (await call('get', '/session', {})).body;
    toast(t.resetCancelled);
  };
  return (
    <div class="bar bad" role="status">
      {t.resetNotice(momentText(readMoment(at), true))}{' '}
      <Button small busy={busy} onClick={() => void perform(cancelReset)}>
        {t.cancelReset}
      </Button>
      {error && <ErrorBanner error={error} />}
    </div>
  );
}
