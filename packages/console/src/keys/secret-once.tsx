import type { Shape } from '../api/shapes.ts';
import { Button } from '../parts/button.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { who } from '../session/who.ts';
import { words } from './words.ts';

/** The one time that a key is seen. Left by its button only: a slip of the hand must not lose it. */
export function SecretOnce({ made, onDone }: { readonly made: Shape<'CreatedKey'>; readonly onDone: () => void }) {
  const w = words();
  const account = who.value?.account.reseller_id ?? '';
  return (
    <Dialog title={w.once}>
      <p>{w.onceText}</p>
      <p class="secret">
        <CopyText text={made.api_key} />
      </p>
      <p class="faint">{w.tryIt}</p>
      <pre>{`curl -u ${account}:API_KEY ${location.origin}/v1/account/profile`}</pre>
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          {w.done}
        </Button>
      </div>
    </Dialog>
  );
}
