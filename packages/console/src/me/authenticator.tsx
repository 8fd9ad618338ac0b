import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { TextField } from '../components/field.tsx';
import { ActDialog } from '../components/form-dialog.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { useResource } from '../data/resource.ts';
import { factorsChanged } from './factors.ts';
import { messages } from './messages.ts';
import { QrCode } from './qr-code.tsx';
import { Remove } from './remove.tsx';

interface PendingAuthenticator {
  readonly secret: string;
  readonly uri: string;
}

export function Authenticator() {
  const t = messages();
  const factors = useResource('/me/factors', {});
  const [begun, setBegun] = useState<PendingAuthenticator>();
  const [isLeaving, setLeaving] = useState(false);
  const { busy, error, perform } = useSubmit();
  const begin = async () => setBegun((await call('post', '/me/totp', {})).body);
  const { data } = factors;
  return (
    <Card
      title={t.totp}
      actions={
        data &&
        (data.has_totp ? (
          <Button onClick={() => setLeaving(true)}>{t.removeTotpShort}</Button>
        ) : (
          <Button icon="plus" busy={busy} onClick={() => void perform(begin)}>
            {t.addTotp}
          </Button>
        ))
      }
    >
      {factors.error && !data && <ErrorBanner error={factors.error} onRetry={factors.refetch} />}
      {error && <ErrorBanner error={error} />}
      {!data && !factors.error && <Skeleton rows={1} />}
      {data?.has_totp && <p class="faint">{t.totpRequired}</p>}
      {data && <StatusIcon kind={data.has_totp ? 'good' : 'none'}>{data.has_totp ? t.totpOn : t.totpOff}</StatusIcon>}
      {begun && <Confirm begun={begun} onClose={() => setBegun(undefined)} />}
      {isLeaving && (
        <Remove title={t.removeTotp} onClose={() => setLeaving(false)} remove={() => call('delete', '/me/totp', {})}>
          {t.removeText}
        </Remove>
      )}
    </Card>
  );
}

function Confirm({ begun, onClose }: { readonly begun: PendingAuthenticator; readonly onClose: () => void }) {
  const t = messages();
  const [code, setCode] = useState('');
  const confirm = async () => {
    await call('put', '/me/totp', { body: { code: code.trim() } });
    await factorsChanged();
    toast(t.totpAdded);
    onClose();
  };
  return (
    <ActDialog title={t.addTotp} verb={t.confirm} onClose={onClose} act={confirm} labels={{ code: t.code }}>
      <p>{t.totpText}</p>
      <QrCode text={begun.uri} label={t.qr} />
      <div class="totp-secret">
        <CopyText text={begun.secret} />
        <a href={begun.uri}>{t.openApp}</a>
      </div>
      <TextField
        name="code"
        label={t.code}
        hint={t.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onText={setCode}
      />
    </ActDialog>
  );
}
