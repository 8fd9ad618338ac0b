import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { messages } from './messages.ts';

export function RecoveryCodes() {
  const t = messages();
  const { data } = useResource('/me/factors', {});
  const [codes, setCodes] = useState<readonly string[]>();
  const [isReplacing, setReplacing] = useState(false);
  const { busy, error, perform } = useSubmit();
  const make = async () => {
    setReplacing(left > 0);
    setCodes((await call('post', '/me/recovery_codes', {})).body.codes);
    await invalidate('/me/factors');
  };
  const left = data?.recovery_codes ?? 0;
  const isWanted = data !== undefined && (data.passkeys > 0 || data.has_totp);
  return (
    <Card
      title={t.recovery}
      actions={
        <Button
          kind={isWanted && left === 0 ? 'primary' : 'plain'}
          busy={busy}
          disabled={!isWanted}
          onClick={() => void perform(make)}
        >
          {left > 0 ? t.newCodes : t.makeCodes}
        </Button>
      }
    >
      <p class="faint">{isWanted ? t.recoveryText : t.recoveryLater}</p>
      {isWanted && <StatusIcon kind={left > 2 ? 'good' : left > 0 ? 'warning' : 'bad'}>{t.codesLeft(left)}</StatusIcon>}
      {isWanted && left === 0 && (
        <p class="note warn" role="note">
          {t.codesNext}
        </p>
      )}
      {error && <ErrorBanner error={error} />}
      {codes && <CodesOnce codes={codes} isReplacing={isReplacing} onDone={() => setCodes(undefined)} />}
    </Card>
  );
}

/** Shows the codes once. Only its button closes the dialog, so that the codes are not lost by accident. */
function CodesOnce({
  codes,
  isReplacing,
  onDone,
}: {
  readonly codes: readonly string[];
  /** There were codes before. */
  readonly isReplacing: boolean;
  readonly onDone: () => void;
}) {
  const t = messages();
  const copy = () => navigator.clipboard.writeText(codes.join('\n')).then(() => toast(common().copied));
  return (
    <Dialog title={t.codesOnce}>
      <p>
        {t.codesOnceText} {isReplacing && t.codesReplaced}
      </p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          {t.codesKept}
        </Button>
        <Button icon="copy" onClick={() => void copy()}>
          {common().copy}
        </Button>
      </div>
    </Dialog>
  );
}
