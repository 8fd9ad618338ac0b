import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Facts } from '../components/facts.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { ActDialog } from '../components/form-dialog.tsx';
import { Moment } from '../components/moment.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { messages } from './messages.ts';

type BrandHost = Schema<'BrandHost'>;

const lights = { waiting: 'none', verified: 'good', missing: 'warning' } as const;

/** Custom hosts where customers see the brand. */
export function Hosts() {
  const t = messages();
  const hosts = useResource('/brand/hosts', {});
  const [gone, setGone] = useState<BrandHost>();
  return (
    <Card title={t.hosts}>
      <p class="faint">{t.hostsText}</p>
      {hosts.error && <ErrorBanner error={hosts.error} onRetry={hosts.refetch} />}
      {hosts.data ? (
        <div class="stack">
          {hosts.data.map((each) => (
            <Host key={each.hostname} of={each} onRemove={() => setGone(each)} />
          ))}
          <Claim key={hosts.data.length} />
        </div>
      ) : (
        !hosts.error && <Skeleton />
      )}
      {gone && <Remove of={gone} onClose={() => setGone(undefined)} />}
    </Card>
  );
}

function Host({ of, onRemove }: { readonly of: BrandHost; readonly onRemove: () => void }) {
  const t = messages();
  const { busy, error, perform } = useSubmit();
  const check = async () => {
    const path = { brand_host: of.hostname };
    const { body } = await call('post', '/brand/hosts/{brand_host}/check', { path });
    await invalidate('/brand/hosts');
    toast(body.state === 'verified' ? t.hostFound : t.hostNotFound);
  };
  return (
    <section class="brand-host" aria-label={of.hostname}>
      <Facts
        rows={[
          [t.host, <strong>{of.hostname}</strong>],
          [t.hostState, <StatusIcon kind={lights[of.state]}>{t.hostStates[of.state]}</StatusIcon>],
          [t.hostRecord, <CopyText text={of.record_name} />],
          [t.hostValue, <CopyText text={of.record_value} />],
          ...(of.state === 'waiting'
            ? []
            : [[t.linksInEmails, of.is_reached ? t.linksUseHost : t.linksDoNotUseHost] as const]),
          ...(of.checked_at ? [[t.hostChecked, <Moment at={of.checked_at} withTime />] as const] : []),
        ]}
      />
      {error && <ErrorBanner error={error} />}
      <div class="actions">
        <Button busy={busy} aria-label={`${t.hostCheck}: ${of.hostname}`} onClick={() => void perform(check)}>
          {t.hostCheck}
        </Button>
        <Button aria-label={`${t.hostRemove}: ${of.hostname}`} onClick={onRemove}>
          {t.hostRemove}
        </Button>
      </div>
    </section>
  );
}

function Claim() {
  const t = messages();
  const [host, setHost] = useState('');
  const { busy, error, perform } = useSubmit();
  const claim = async () => {
    await call('post', '/brand/hosts', { body: { hostname: host } });
    await invalidate('/brand/hosts');
    toast(t.hostAdded);
  };
  return (
    <Form onSubmit={() => void perform(claim)} error={error} labels={{ hostname: t.host }}>
      <TextField name="hostname" label={t.hostNew} hint={t.hostHint} maxLength={253} value={host} onText={setHost} />
      <Button type="submit" busy={busy}>
        {t.hostAdd}
      </Button>
    </Form>
  );
}

function Remove({ of, onClose }: { readonly of: BrandHost; readonly onClose: () => void }) {
  const t = messages();
  const remove = async () => {
    await call('delete', '/brand/hosts/{brand_host}', { path: { brand_host: of.hostname } });
    await invalidate('/brand/hosts');
    onClose();
    toast(t.hostRemoved);
  };
  return (
    <ActDialog title={t.hostRemoveTitle(of.hostname)} verb={t.hostRemove} onClose={onClose} act={remove} isDanger>
      <p>{t.hostRemoveText}</p>
    </ActDialog>
  );
}
