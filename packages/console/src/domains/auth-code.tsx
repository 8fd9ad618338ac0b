import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { StepLine } from '../operations/step-line.tsx';
import { Button } from '../parts/button.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { words as common } from '../words/words.ts';
import { words } from './words.ts';

/** Asked for by a click, hidden until a second one, and kept nowhere: closed, it is gone from the page. */
export function AuthCode({
  name,
  domainId,
  onClose,
}: {
  readonly name: string;
  readonly domainId: string;
  readonly onClose: () => void;
}) {
  const w = words();
  const [code, setCode] = useState<string>();
  const [isShown, setShown] = useState(false);
  const [operationId, setOperationId] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const ask = async () => {
    setBusy(true);
    setTrouble(undefined);
    try {
      const { status, body } = await call('get', '/domains/{domain_id}/auth_code', { path: { domain_id: domainId } });
      if (status === 202) setOperationId((body as { operation_id: string }).operation_id);
      else setCode(String(body));
    } catch (error) {
      setTrouble(asTrouble(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={`${w.authCode}: ${name}`} onClose={onClose}>
      <Form onSubmit={() => void ask()} trouble={trouble}>
        <p>{w.authCodeText}</p>
        {operationId && !code && <StepLine id={operationId} />}
        {code && (
          <div class="row secret-row">
            {isShown ? <CopyText text={code} /> : <code aria-hidden="true">{'•'.repeat(12)}</code>}
            <Button small onClick={() => setShown(!isShown)}>
              {isShown ? w.hide : w.show}
            </Button>
          </div>
        )}
        <div class="actions">
          {!code && (
            <Button kind="primary" type="submit" busy={busy}>
              {w.askCode}
            </Button>
          )}
          <Button onClick={onClose}>{common().close}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
