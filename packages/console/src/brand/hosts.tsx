import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { changed, useResource } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Light } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { words as common } from '../words/words.ts';
import { words } from './words.ts';

type BrandHost = Shape<'BrandHost'>;

const lights = { waiting: 'none', verified: 'good', missing: 'half' } as const;

/** Hosts at which customers find the brand by itself. */
export function Hosts() {
  const w = words();
  const hosts = useResource('/brand/hosts', {});
  const [gone, setGone] = useState<BrandHost>();
  return (
    <Card title={w.hosts}>
      <p class="faint">{w.hostsText}</p>
      {hosts.trouble && <TroubleNote trouble={hosts.trouble} onAgain={hosts.again} />}
      {hosts.data ? (
        <div class="stack">
          {hosts.data.map((each) => (
            <Host key={each.hostname} of={each} onRemove={() => setGone(each)} />
          ))}
          <Claim key={hosts.data.length} />
        </div>
      ) : (
        !hosts.trouble && <Waiting />
      )}
      {gone && <Remove of={gone} onClose={() => setGone(undefined)} />}
    </Card>
  );
}

function Host({ of, onRemove }: { readonly of: BrandHost; readonly onRemove: () => void }) {
  const w = words();
  const { busy, trouble, act } = useAct();
  const check = async () => {
    const path = { brand_host: of.hostname };
    const { body } = await call('post', '/brand/hosts/{brand_host}/check', { path, body: {} });
    await changed('/brand/hosts');
    toast(body.state === 'verified' ? w.hostSeen : w.hostUnseen);
  };
  return (
    <section class="brand-host" aria-label={of.hostname}>
      <Facts
        rows={[
          [w.host, <strong>{of.hostname}</strong>],
          [w.hostState, <Light kind={lights[of.state]}>{w.hostStates[of.state]}</Light>],
          [w.hostRecord, <CopyText text={of.record_name} />],
          [w.hostValue, <CopyText text={of.record_value} />],
          ...(of.state === 'waiting'
            ? []
            : [[w.hostReached, of.is_reached ? w.hostReachedYes : w.hostReachedNo] as const]),
          ...(of.checked_at ? [[w.hostChecked, <Moment at={of.checked_at} withTime />] as const] : []),
        ]}
      />
      {trouble && <TroubleNote trouble={trouble} />}
      <div class="actions">
        <Button busy={busy} aria-label={`${w.hostCheck}: ${of.hostname}`} onClick={() => void act(check)}>
          {w.hostCheck}
        </Button>
        <Button aria-label={`${w.hostRemove}: ${of.hostname}`} onClick={onRemove}>
          {w.hostRemove}
        </Button>
      </div>
    </section>
  );
}

function Claim() {
  const w = words();
  const [host, setHost] = useState('');
  const { busy, trouble, act } = useAct();
  const claim = async () => {
    await call('post', '/brand/hosts', { body: { hostname: host } });
    await changed('/brand/hosts');
    toast(w.hostClaimed);
  };
  return (
    <Form onSubmit={() => void act(claim)} trouble={trouble} labels={{ hostname: w.host }}>
      <TextField name="hostname" label={w.hostNew} hint={w.hostHint} maxLength={253} value={host} onText={setHost} />
      <Button type="submit" busy={busy}>
        {w.hostAdd}
      </Button>
    </Form>
  );
}

function Remove({ of, onClose }: { readonly of: BrandHost; readonly onClose: () => void }) {
  const w = words();
  const { busy, trouble, act } = useAct();
  const remove = async () => {
    await call('delete', '/brand/hosts/{brand_host}', { path: { brand_host: of.hostname } });
    await changed('/brand/hosts');
    onClose();
    toast(w.hostRemoved);
  };
  return (
    <Dialog title={w.hostRemoveTitle(of.hostname)} onClose={onClose}>
      <Form onSubmit={() => void act(remove)} trouble={trouble}>
        <p>{w.hostRemoveText}</p>
        <div class="actions">
          <Button kind="danger" type="submit" busy={busy}>
            {w.hostRemove}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
