import { useEffect, useMemo, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Diff } from '../components/diff.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Menu } from '../components/menu.tsx';
import { PageHead } from '../components/page-head.tsx';
import { toast, toastError } from '../components/toast.tsx';
import { invalidate } from '../data/resource.ts';
import { DomainTabs } from '../domains/domain-head.tsx';
import { isCustomer, may } from '../session/current-session.ts';
import { ChangeBar } from './change-bar.tsx';
import { editsBetween, type Merged, merge } from './changes.ts';
import { ConflictDialog } from './conflict.tsx';
import { DnssecNote } from './dnssec.tsx';
import { type Edits, rowsOf } from './draft.ts';
import { History } from './history.tsx';
import { type LoadedZone, loadZoneAt, useZone } from './load.ts';
import { messages } from './messages.ts';
import { NameserverStatus } from './nameserver-status.tsx';
import { readPaste } from './paste.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { followPublication } from './publication.ts';
import { Review, shownChanges } from './review.tsx';
import { TableView } from './table-view.tsx';
import { type PreparedTemplate, TemplateDialog } from './template-dialog.tsx';
import { messages as templateMessages } from './template-messages.ts';
import { SaveTemplate } from './template-save.tsx';
import { TextView } from './text-view.tsx';
import { WizardDialog } from './wizard-dialog.tsx';
import { messages as wizardMessages } from './wizard-messages.ts';
import { useZoneDraft, type ZoneDraft } from './zone-draft.ts';
import './zones.css';

const views = ['table', 'text', 'changes', 'history'] as const;
type View = (typeof views)[number];

/** `/domains/{name}/dns`: one draft in three views, and the history. */
export default function Editor() {
  const { params } = useRoute();
  const zone = useZone(params.name ?? '');
  const t = messages();
  if (!zone.loaded)
    return (
      <>
        <PageHead title={t.title(params.name ?? '')} lead={zone.count > 0 ? t.loadingZone(zone.count) : undefined} />
        {zone.error ? <ErrorBanner error={zone.error} onRetry={() => void zone.again()} /> : <Skeleton rows={8} />}
      </>
    );
  return <ZoneEditor key={zone.loaded.domainId} loaded={zone.loaded} again={zone.again} onLoaded={zone.put} />;
}

interface Props {
  readonly loaded: LoadedZone;
  readonly again: () => Promise<LoadedZone | undefined>;
  readonly onLoaded: (loaded: LoadedZone) => void;
}

function ZoneEditor({ loaded, again, onLoaded }: Props) {
  const t = messages();
  const { origin, zone } = loaded;
  const draft = useZoneDraft(loaded);
  const [view, setView] = useState<View>('table');
  const [open, setOpen] = useState<Open>();
  const [pasted, setPasted] = useState('');
  const isWritable = may('dns:write');
  usePaste(isWritable && open === undefined && view === 'table', (text) => {
    setPasted(text);
    setOpen('paste');
  });
  /** Reviews the edits of a new draft, if there are any. */
  const reviewNew = (edits: Edits) => {
    const isAny = Object.keys(edits).length > 0;
    setOpen(isAny ? 'review' : undefined);
    if (!isAny) toast(t.nothingNew);
  };
  /** The current zone, the draft, and their common base. */
  const loadConflict = async () => {
    setOpen(undefined);
    try {
      const began = await loadZoneAt(loaded.domainId, origin, draft.madeOn);
      const theirs = await again();
      if (theirs) setOpen({ merged: merge(began, theirs.sets, draft.edits) });
    } catch (cause) {
      toastError(cause);
    }
  };
  return (
    <div class="zone">
      <PageHead
        title={t.title(origin.slice(0, -1))}
        lead={zone ? <NameserverStatus zone={zone} onZone={(next) => onLoaded({ ...loaded, zone: next })} /> : t.noZone}
        actions={isWritable && <Actions hasZone={zone !== undefined} draft={draft} onOpen={setOpen} />}
      />
      <DomainTabs name={origin.slice(0, -1)} at="dns" />
      {zone && !zone.is_delegated && (
        <p class="zone-banner" role="note">
          {t.notDelegated}
        </p>
      )}
      <DnssecNote domainId={loaded.domainId} origin={origin} base={draft.base} edits={draft.edits} />
      {draft.isOld && (
        <p class="zone-banner" role="alert">
          {t.conflictMoved}{' '}
          <Button small onClick={() => void loadConflict()}>
            {t.review}
          </Button>
        </p>
      )}
      <Tabs view={view} onView={setView} />
      <ZoneView {...{ view, loaded, draft, isWritable }} onReview={reviewNew} />
      <ChangeBar
        draft={draft}
        isWritable={isWritable}
        onDiscard={() => setOpen('discard')}
        onReview={() => (draft.isOld ? void loadConflict() : setOpen('review'))}
      />
      <ZoneDialogs
        {...{ open, loaded, draft, pasted, again, onLoaded }}
        onOpen={setOpen}
        onPasted={setPasted}
        onConflict={loadConflict}
        onReview={reviewNew}
      />
    </div>
  );
}

interface ActionsProps {
  readonly hasZone: boolean;
  readonly draft: ZoneDraft;
  readonly onOpen: (open: Open) => void;
}

function Actions(props: ActionsProps) {
  return (
    <>
      <TemplateMenu {...props} />
      <Button onClick={() => props.onOpen('helper')}>{wizardMessages().open}</Button>
      <Button onClick={() => props.onOpen('paste')}>{messages().paste}</Button>
    </>
  );
}

/** Templates are separate changes, so they need an empty draft. */
function TemplateMenu({ hasZone, draft, onOpen }: ActionsProps) {
  const t = templateMessages();
  const isPending = draft.changes.length > 0;
  if (isCustomer()) return null;
  return (
    <Menu
      label={t.templates}
      className="button"
      items={[
        {
          key: 'apply',
          label: t.applyOne,
          act: () => (isPending ? toast(t.pending) : onOpen('template')),
        },
        ...(hasZone ? [{ key: 'save', label: t.saveZone, act: () => onOpen('save-template') }] : []),
        { key: 'all', label: t.all, href: '/app/templates' },
      ]}
    >
      {t.templates}
    </Menu>
  );
}

function Tabs({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) {
  const t = messages();
  return (
    <div class="tabs" role="tablist" aria-label={t.views}>
      {views.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          aria-selected={view === each}
          class={view === each ? 'current' : undefined}
          onClick={() => onView(each)}
        >
          {t.viewNames[each]}
        </button>
      ))}
    </div>
  );
}

interface ZoneViewProps {
  readonly view: View;
  readonly loaded: LoadedZone;
  readonly draft: ZoneDraft;
  readonly isWritable: boolean;
  readonly onReview: (edits: Edits) => void;
}

function ZoneView({ view, loaded, draft, isWritable, onReview }: ZoneViewProps) {
  const t = messages();
  const { edits, base, acts, set, checkResult, changes } = draft;
  const rows = useMemo(() => rowsOf(loaded.sets, edits).filter((row) => row.set.type !== 'SOA'), [loaded.sets, edits]);
  const rollBack = (next: Edits) => {
    set(() => next);
    onReview(next);
  };
  switch (view) {
    case 'table':
      return (
        <TableView
          {...{ acts, isWritable, base, set }}
          origin={loaded.origin}
          rows={rows}
          problems={checkResult.errors}
          warnings={checkResult.warnings}
        />
      );
    case 'text':
      return <TextView loaded={loaded} edits={edits} isWritable={isWritable} onEdits={draft.setAsText} />;
    case 'changes':
      return changes.length > 0 ? <Diff changes={shownChanges(changes)} /> : <p class="faint">{t.noChanges}</p>;
    case 'history':
      return <History loaded={loaded} isWritable={isWritable} onRollback={rollBack} />;
  }
}

/** The open dialog. */
type Open =
  | 'review'
  | 'discard'
  | 'paste'
  | 'helper'
  | 'template'
  | 'save-template'
  | { readonly merged: Merged }
  | { readonly ready: PreparedTemplate }
  | undefined;

interface ZoneDialogsProps extends Props {
  readonly open: Open;
  readonly draft: ZoneDraft;
  readonly pasted: string;
  readonly onOpen: (open: Open) => void;
  readonly onPasted: (text: string) => void;
  readonly onConflict: () => void;
  readonly onReview: (edits: Edits) => void;
}

function ZoneDialogs(props: ZoneDialogsProps) {
  const { open, loaded, draft, pasted, again, onLoaded, onOpen, onPasted, onConflict, onReview } = props;
  const onClose = () => onOpen(undefined);
  const onApplied = (change: Schema<'ZoneChange'>) => {
    onClose();
    void applied(change, { loaded, again, onLoaded }, draft);
  };
  switch (open) {
    case undefined:
      return null;
    case 'review':
      return (
        <Review
          {...{ loaded, onClose, onConflict }}
          edits={draft.edits}
          idempotencyKey={draft.orderKey}
          onApplied={onApplied}
        />
      );
    case 'paste':
      return (
        <PasteDialog
          origin={loaded.origin}
          text={pasted}
          onText={onPasted}
          onTake={(records, replaces) => {
            draft.take(records, replaces);
            onPasted('');
            onClose();
          }}
          onClose={onClose}
        />
      );
    case 'helper':
      return (
        <WizardDialog
          origin={loaded.origin}
          base={draft.base}
          edits={draft.edits}
          onEdits={(next) => draft.set(() => next)}
          onClose={onClose}
        />
      );
    case 'template':
      return <TemplateView {...{ loaded, draft, onOpen }} />;
    case 'save-template':
      return <SaveTemplate loaded={loaded} onClose={onClose} />;
    case 'discard':
      return <Discard draft={draft} onClose={onClose} />;
    default:
      return 'ready' in open ? (
        <Review
          {...{ loaded, onClose }}
          {...open.ready}
          onConflict={() => void again().then(() => onOpen('template'))}
          onApplied={onApplied}
        />
      ) : (
        <ConflictDialog
          domainId={loaded.domainId}
          merged={open.merged}
          onClose={onClose}
          onDone={(next) => {
            draft.begin(loaded.serial, next);
            onReview(next);
          }}
        />
      );
  }
}

function TemplateView({ loaded, draft, onOpen }: Pick<ZoneDialogsProps, 'loaded' | 'draft' | 'onOpen'>) {
  const onClose = () => onOpen(undefined);
  return (
    <TemplateDialog
      loaded={loaded}
      base={draft.base}
      onReview={(ready) => onOpen({ ready })}
      onDraft={(edits) => {
        draft.set(() => edits);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Reloads the zone after a change and offers to undo it for a minute. */
async function applied(
  change: Schema<'ZoneChange'>,
  { loaded, again, onLoaded }: Props,
  draft: ZoneDraft,
): Promise<void> {
  const t = messages();
  const before = loaded.sets;
  draft.clear();
  const now = await again();
  void invalidate(`/domains/${loaded.domainId}/zone`);
  const back = { label: t.undo, act: () => now && draft.begin(now.serial, editsBetween(now.sets, before)) };
  toast(change.is_changed ? t.published : t.nothingNew, change.is_changed && now ? back : undefined);
  if (now) followPublication(now, onLoaded);
}

function Discard({ draft, onClose }: { readonly draft: ZoneDraft; readonly onClose: () => void }) {
  const t = messages();
  return (
    <Dialog title={t.discardTitle} onClose={onClose}>
      <p>{t.discardText}</p>
      <div class="actions">
        <Button
          kind="danger"
          onClick={() => {
            draft.clear();
            onClose();
          }}
        >
          {t.discard}
        </Button>
      </div>
    </Dialog>
  );
}

/** Text pasted outside of fields is read as records. */
function usePaste(isOn: boolean, act: (text: string) => void): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const onPaste = (event: ClipboardEvent) => {
      if ((event.target as HTMLElement | null)?.closest('input, textarea, select, [contenteditable]')) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.trim() === '' || readPaste(text, '.').kind === 'none') return;
      event.preventDefault();
      act(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  });
}
