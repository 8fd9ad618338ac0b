import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Tabs } from '../parts/tabs.tsx';
import './log.css';
import { words } from './words.ts';

/** Two logs, one head: who changed what, and what happened. */
export function LogHead({ tab, address }: { readonly tab: 'changes' | 'events'; readonly address: string }) {
  const w = words();
  return (
    <>
      <PageHead title={w.log} lead={w.leads[tab]} actions={<CopyCurl method="get" address={address} />} />
      <Tabs
        label={w.log}
        tabs={[
          { href: '/app/log', label: w.changes, isCurrent: tab === 'changes' },
          { href: '/app/log/events', label: w.events, isCurrent: tab === 'events' },
        ]}
      />
    </>
  );
}

const places: Readonly<Record<string, string>> = { domain: 'domains', operation: 'operations' };

/** What it is about; a link where there is a page of it. */
export function Thing({ type, id }: { readonly type: string; readonly id: string }) {
  const place = places[type];
  return (
    <span>
      {type.replaceAll('_', ' ')}{' '}
      {place ? <a href={`/app/${place}/${encodeURIComponent(id)}`}>{id}</a> : <Id id={id} />}
    </span>
  );
}

/** Long ones are shown by their ends and copied whole. */
export function Id({ id }: { readonly id: string | null }) {
  if (!id) return <span class="faint">–</span>;
  return (
    <span class="short">
      {id.length > 16 ? <CopyText text={id} label={`${id.slice(0, 8)}…${id.slice(-4)}`} /> : <code>{id}</code>}
    </span>
  );
}

/** Everything that is known of an entry, as the service says it; over the page, since a row has no room for it. */
export function Details({
  title,
  facts,
}: {
  readonly title: string;
  readonly facts: Readonly<Record<string, unknown>>;
}) {
  const w = words();
  const [isOpen, setOpen] = useState(false);
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  if (known.length === 0) return <span class="faint">–</span>;
  return (
    <>
      <Button kind="quiet" small onClick={() => setOpen(true)}>
        {w.show}
      </Button>
      {isOpen && (
        <Dialog title={title} size="large" onClose={() => setOpen(false)}>
          <pre class="entry">{JSON.stringify(Object.fromEntries(known), undefined, 2)}</pre>
        </Dialog>
      )}
    </>
  );
}
