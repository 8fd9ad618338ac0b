import type { CallOptions } from '../api/call.ts';
import { call } from '../api/call.ts';
import { Button } from '../components/button.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { toast } from '../components/toast.tsx';
import { may } from '../session/current-session.ts';
import { useChange } from './change.ts';
import { messages } from './messages.ts';

/** Sends the registrant the verification email again. */
export function ResendVerification({ domainId }: { readonly domainId: string }) {
  const t = messages();
  const change = useChange();
  const path = { domain_id: domainId };
  const resend = async () => {
    const act = (options: CallOptions) =>
      call('post', '/domains/{domain_id}/raa_verification/resend', { path } as never, options);
    if (await change.run(act)) toast(t.resent);
  };
  if (!may('domains:write')) return null;
  return (
    <>
      {change.error && <ErrorBanner error={change.error} />}
      <div class="row">
        <Button small busy={change.busy} onClick={() => void resend()}>
          {t.resend}
        </Button>
      </div>
    </>
  );
}
