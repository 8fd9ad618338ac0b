import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { changed, useResource } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Light } from '../parts/light.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { words as common } from '../words/words.ts';
import { words } from './words.ts';

export function RecoveryCodes() {
  const w = words();
  const { data } = useResource('/me/factors', {});
  const [codes, setCodes] = useState<readonly string[]>();
  const { busy, trouble, act } = useAct();
  const make = async () => {
    setCodes((await call('post', '/me/recovery_codes', { body: {} })).body.codes);
    await changed('/me/factors');
  };
  const left = data?.recovery_codes ?? 0;
  const isWanted = data !== undefined && (data.passkeys > 0 || data.has_totp);
  return (
    <Card
      title={w.recovery}
      actions={
        <Button busy={busy} disabled={!isWanted} onClick={() => void act(make)}>
          {left > 0 ? w.newCodes : w.makeCodes}
        </Button>
      }
    >
      <p class="faint">{isWanted ? w.recoveryText : w.recoveryLater}</p>
      {isWanted && <Light kind={left > 2 ? 'good' : left > 0 ? 'half' : 'bad'}>{w.codesLeft(left)}</Light>}
      {trouble && <TroubleNote trouble={trouble} />}
      {codes && <CodesOnce codes={codes} onDone={() => setCodes(undefined)} />}
    </Card>
  );
}

/** The one time that they are seen. Left by its button only: a slip of the hand must not lose them. */
function CodesOnce({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const w = words();
  const copy = () => navigator.clipboard.writeText(codes.join('\n')).then(() => toast(common().copied));
  return (
    <Dialog title={w.codesOnce}>
      <p>{w.codesOnceText}</p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          {w.codesKept}
        </Button>
        <Button icon="copy" onClick={() => void copy()}>
          {common().copy}
        </Button>
      </div>
    </Dialog>
  );
}
