import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Dialog } from '../components/dialog.tsx';
import { currentSession } from '../session/current-session.ts';
import { messages } from './messages.ts';

/** Shows the key once. Only its button closes the dialog, so that the key is not lost by accident. */
export function SecretOnce({ made, onDone }: { readonly made: Schema<'CreatedKey'>; readonly onDone: () => void }) {
  const t = messages();
  const account = currentSession.value?.account.reseller_id ?? '';
  return (
    <Dialog title={t.copyKeyTitle}>
      <p>{t.copyKeyText}</p>
      <p class="secret">
        <CopyText text={made.api_key} />
      </p>
      <p class="faint">{t.tryIt}</p>
      <pre class="wrapped">{`curl -u ${account}:API_KEY ${location.origin}/v1/account/profile`}</pre>
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          {t.done}
        </Button>
      </div>
    </Dialog>
  );
}
