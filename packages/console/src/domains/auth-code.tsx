import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import { Button } from '../components/button.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { messages as common } from '../messages/common.ts';
import { StepLine } from '../operations/step-line.tsx';
import { messages } from './messages.ts';

/** Requested with a click, hidden until shown, and never stored. Closing the dialog removes it. */
export function AuthCode({
  name,
  domainId,
  isProtected,
  onClose,
}: {
  readonly name: string;
  readonly domainId: string;
  /** Theft protection is on. */
  readonly isProtected: boolean;
  readonly onClose: () => void;
}) {
  const t = messages();
  const [code, setCode] = useState<string>();
  const [isShown, setShown] = useState(false);
  const [operationId, setOperationId] = useState<string>();
  /** The code is requested again when the operation has ended. */
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const request = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { status, body } = await call('get', '/domains/{domain_id}/auth_code', { path: { domain_id: domainId } });
      if (status === 202) {
        setOperationId((body as { operation_id: string }).operation_id);
        setOpen(true);
      } else setCode(String(body));
    } catch (cause) {
      setError(asApiError(cause));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={`${t.authCode}: ${name}`} onClose={onClose}>
      <Form onSubmit={() => void request()} error={error}>
        <p>{t.authCodeText}</p>
        {isProtected && <p>{t.authCodeProtected}</p>}
        {operationId && !code && <StepLine id={operationId} onEnd={() => setOpen(false)} />}
        {code && (
          <div class="row secret-row">
            {isShown ? <CopyText text={code} /> : <code aria-hidden="true">{'•'.repeat(12)}</code>}
            <Button small onClick={() => setShown(!isShown)}>
              {isShown ? t.hide : t.show}
            </Button>
          </div>
        )}
        <div class="actions">
          {!code && !isOpen && (
            <Button kind="primary" type="submit" busy={busy}>
              {t.getAuthCode}
            </Button>
          )}
          <Button onClick={onClose}>{common().close}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
