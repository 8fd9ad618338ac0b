import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { useResource } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Waiting } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Light } from '../parts/light.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { words as common } from '../words/words.ts';
import { factorsChanged } from './factors.ts';
import { QrCode } from './qr-code.tsx';
import { Remove } from './remove.tsx';
import { words } from './words.ts';

interface Begun {
  readonly secret: string;
  readonly uri: string;
}

export function Authenticator() {
  const w = words();
  const factors = useResource('/me/factors', {});
  const [begun, setBegun] = useState<Begun>();
  const [isLeaving, setLeaving] = useState(false);
  const { busy, trouble, act } = useAct();
  const begin = async () => setBegun((await call('post', '/me/totp', { body: {} })).body);
  const { data } = factors;
  return (
    <Card
      title={w.totp}
      actions={
        data &&
        (data.has_totp ? (
          <Button onClick={() => setLeaving(true)}>{w.removeTotpShort}</Button>
        ) : (
          <Button icon="plus" busy={busy} onClick={() => void act(begin)}>
            {w.addTotp}
          </Button>
        ))
      }
    >
      {factors.trouble && !data && <TroubleNote trouble={factors.trouble} onAgain={factors.again} />}
      {trouble && <TroubleNote trouble={trouble} />}
      {!data && !factors.trouble && <Waiting rows={1} />}
      {data?.has_totp && <p class="faint">{w.totpAsked}</p>}
      {data && <Light kind={data.has_totp ? 'good' : 'none'}>{data.has_totp ? w.totpOn : w.totpOff}</Light>}
      {begun && <Confirm begun={begun} onClose={() => setBegun(undefined)} />}
      {isLeaving && (
        <Remove title={w.removeTotp} onClose={() => setLeaving(false)} remove={() => call('delete', '/me/totp', {})}>
          {w.removeText}
        </Remove>
      )}
    </Card>
  );
}

function Confirm({ begun, onClose }: { readonly begun: Begun; readonly onClose: () => void }) {
  const w = words();
  const [code, setCode] = useState('');
  const { busy, trouble, act } = useAct();
  const confirm = async () => {
    await call('put', '/me/totp', { body: { code: code.trim() } });
    await factorsChanged();
    toast(w.totpAdded);
    onClose();
  };
  return (
    <Dialog title={w.addTotp} onClose={onClose}>
      <Form onSubmit={() => void act(confirm)} trouble={trouble} labels={{ code: w.code }}>
        <p>{w.totpText}</p>
        <QrCode text={begun.uri} label={w.qr} />
        <div class="totp-secret">
          <CopyText text={begun.secret} />
          <a href={begun.uri}>{w.openApp}</a>
        </div>
        <TextField
          name="code"
          label={w.code}
          hint={w.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onText={setCode}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {w.confirm}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
