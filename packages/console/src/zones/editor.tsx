import { useEffect, useMemo, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { Shape } from '../api/shapes.ts';
import { asTrouble } from '../api/trouble.ts';
import { changed } from '../data/resource.ts';
import { NameTabs } from '../domains/name-head.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Diff } from '../parts/diff.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Menu } from '../parts/menu.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { isCustomer, may } from '../session/who.ts';
import { ChangeBar } from './change-bar.tsx';
import { editsBetween, type Merged, merge } from './changes.ts';
import { ConflictDialog } from './conflict.tsx';
import { rowsOf } from './draft.ts';
import { HelperDialog } from './helper-dialog.tsx';
import { words as helperWords } from './helper-words.ts';
import { History } from './history.tsx';
import { Lights } from './lights.tsx';
import { type LoadedZone, loadOldZone, useZone } from './load.ts';
import { readPaste } from './paste.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { followPublication } from './publication.ts';
import { Review, shownChanges } from './review.tsx';
import { Signed } from './signed.tsx';
import { TableView } from './table-view.tsx';
import { type Ready, TemplateDialog } from './template-dialog.tsx';
import { SaveTemplate } from './template-save.tsx';
import { words as templateWords } from './template-words.ts';
import { TextView } from './text-view.tsx';
import { words } from './words.ts';
import { useZoneDraft, type ZoneDraft } from './zone-draft.ts';
import './zones.css';

const views = ['table', 'text', 'changes', 'history'] as const;
type View = (typeof views)[number];

/** `/domains/{name}/dns`: one draft, three views, and the history. */
export default function Editor() {
  const { params } = useRoute();
  const zone = useZone(params.name ?? '');
  const w = words();
  if (!zone.loaded)
    return (
      <>
        <PageHead title={w.title(params.name ?? '')} lead={zone.count > 0 ? w.loadingZone(zone.count) : undefined} />
        {zone.trouble ? <TroubleNote trouble={zone.trouble} onAgain={() => void zone.again()} /> : <Waiting rows={8} />}
      </>
    );
  return <ZoneEditor key={zone.loaded.domainId} loaded={zone.loaded} again={zone.again} onLoaded={zone.put} />;
}

interface Given {
  readonly loaded: LoadedZone;
  readonly again: () => Promise<LoadedZone | undefined>;
  readonly onLoaded: (loaded: LoadedZone) => void;
}

function ZoneEditor({ loaded, again, onLoaded }: Given) {
  const w = words();
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
  /** Theirs, mine, and what both began with. */
  const meet = async () => {
    setOpen(undefined);
    try {
      const began = await loadOldZone(loaded.domainId, origin, draft.madeOn);
      const theirs = await again();
      if (theirs) setOpen({ merged: merge(began, theirs.sets, draft.edits) });
    } catch (error) {
      toast(asTrouble(error).message);
    }
  };
  return (
    <div class="zone">
      <PageHead
        title={w.title(origin.slice(0, -1))}
        lead={zone ? <Lights zone={zone} onZone={(next) => onLoaded({ ...loaded, zone: next })} /> : w.noZone}
        actions={isWritable && <Actions hasZone={zone !== undefined} draft={draft} onOpen={setOpen} />}
      />
      <NameTabs name={origin.slice(0, -1)} at="dns" />
      {zone && !zone.is_delegated && (
        <p class="zone-banner" role="note">
          {w.notDelegated}
        </p>
      )}
      <Signed domainId={loaded.domainId} origin={origin} base={draft.base} edits={draft.edits} />
      {draft.isOld && (
        <p class="zone-banner" role="alert">
          {w.conflictMoved}{' '}
          <Button small onClick={() => void meet()}>
            {w.review}
          </Button>
        </p>
      )}
      <Tabs view={view} onView={setView} />
      <Shown {...{ view, loaded, draft, isWritable }} onReview={() => setOpen('review')} />
      <ChangeBar
        draft={draft}
        isWritable={isWritable}
        onDiscard={() => setOpen('discard')}
        onReview={() => (draft.isOld ? void meet() : setOpen('review'))}
      />
      <Opened
        {...{ open, loaded, draft, pasted, again, onLoaded }}
        onOpen={setOpen}
        onPasted={setPasted}
        onConflict={meet}
      />
    </div>
  );
}

interface ActionsGiven {
  readonly hasZone: boolean;
  readonly draft: ZoneDraft;
  readonly onOpen: (open: Open) => void;
}

function Actions(given: ActionsGiven) {
  return (
    <>
      <TemplateMenu {...given} />
      <Button onClick={() => given.onOpen('helper')}>{helperWords().open}</Button>
      <Button onClick={() => given.onOpen('paste')}>{words().paste}</Button>
    </>
  );
}

/** A template is a change of its own; with a draft in hand there would be two. */
function TemplateMenu({ hasZone, draft, onOpen }: ActionsGiven) {
  const w = templateWords();
  const isPending = draft.changes.length > 0;
  if (isCustomer()) return null;
  return (
    <Menu
      label={w.templates}
      look="button"
      items={[
        {
          key: 'apply',
          label: w.applyOne,
          act: () => (isPending ? toast(w.pending) : onOpen('template')),
        },
        ...(hasZone ? [{ key: 'save', label: w.saveZone, act: () => onOpen('save-template') }] : []),
        { key: 'all', label: w.all, href: '/app/templates' },
      ]}
    >
      {w.templates}
    </Menu>
  );
}

function Tabs({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) {
  const w = words();
  return (
    <div class="tabs" role="tablist" aria-label={w.views}>
      {views.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          aria-selected={view === each}
          class={view === each ? 'current' : undefined}
          onClick={() => onView(each)}
        >
          {w[each]}
        </button>
      ))}
    </div>
  );
}

interface ShownGiven {
  readonly view: View;
  readonly loaded: LoadedZone;
  readonly draft: ZoneDraft;
  readonly isWritable: boolean;
  readonly onReview: () => void;
}

function Shown({ view, loaded, draft, isWritable, onReview }: ShownGiven) {
  const w = words();
  const { edits, base, acts, set, verdict, changes } = draft;
  const rows = useMemo(() => rowsOf(loaded.sets, edits).filter((row) => row.set.type !== 'SOA'), [loaded.sets, edits]);
  switch (view) {
    case 'table':
      return (
        <TableView
          {...{ acts, isWritable, base, set }}
          origin={loaded.origin}
          rows={rows}
          problems={verdict.errors}
          warnings={verdict.warnings}
        />
      );
    case 'text':
      return <TextView loaded={loaded} edits={edits} isWritable={isWritable} onEdits={draft.setAsText} />;
    case 'changes':
      return changes.length > 0 ? <Diff changes={shownChanges(changes)} /> : <p class="faint">{w.noChanges}</p>;
    case 'history':
      return (
        <History
          loaded={loaded}
          isWritable={isWritable}
          onRollback={(next) => {
            set(() => next);
            onReview();
          }}
        />
      );
  }
}

/** What stands over the page. */
type Open =
  | 'review'
  | 'discard'
  | 'paste'
  | 'helper'
  | 'template'
  | 'save-template'
  | { readonly merged: Merged }
  | { readonly ready: Ready }
  | undefined;

interface OpenedGiven extends Given {
  readonly open: Open;
  readonly draft: ZoneDraft;
  readonly pasted: string;
  readonly onOpen: (open: Open) => void;
  readonly onPasted: (text: string) => void;
  readonly onConflict: () => void;
}

function Opened({ open, loaded, draft, pasted, again, onLoaded, onOpen, onPasted, onConflict }: OpenedGiven) {
  const onClose = () => onOpen(undefined);
  const onApplied = (change: Shape<'ZoneChange'>) => {
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
        <HelperDialog
          origin={loaded.origin}
          base={draft.base}
          edits={draft.edits}
          onEdits={(next) => draft.set(() => next)}
          onClose={onClose}
        />
      );
    case 'template':
      return <OpenedTemplate {...{ loaded, draft, onOpen }} />;
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
            onOpen('review');
          }}
        />
      );
  }
}

function OpenedTemplate({ loaded, draft, onOpen }: Pick<OpenedGiven, 'loaded' | 'draft' | 'onOpen'>) {
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

/** The zone as it is now, its lights, and for a minute the way back. */
async function applied(
  change: Shape<'ZoneChange'>,
  { loaded, again, onLoaded }: Given,
  draft: ZoneDraft,
): Promise<void> {
  const w = words();
  const before = loaded.sets;
  draft.clear();
  const now = await again();
  void changed(`/domains/${loaded.domainId}/zone`);
  const back = { label: w.undo, act: () => now && draft.begin(now.serial, editsBetween(now.sets, before)) };
  toast(change.is_changed ? w.applied(change.serial) : w.nothingNew, change.is_changed && now ? back : undefined);
  if (now) followPublication(now, onLoaded);
}

function Discard({ draft, onClose }: { readonly draft: ZoneDraft; readonly onClose: () => void }) {
  const w = words();
  return (
    <Dialog title={w.discardAsk} onClose={onClose}>
      <p>{w.discardSays}</p>
      <div class="actions">
        <Button
          kind="danger"
          onClick={() => {
            draft.clear();
            onClose();
          }}
        >
          {w.discard}
        </Button>
      </div>
    </Dialog>
  );
}

/** Pasted anywhere but into a field, and it reads like records: a draft. */
function usePaste(isOn: boolean, act: (text: string) => void): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const heard = (event: ClipboardEvent) => {
      if ((event.target as HTMLElement | null)?.closest('input, textarea, select, [contenteditable]')) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.trim() === '' || readPaste(text, '.').kind === 'none') return;
      event.preventDefault();
      act(text);
    };
    document.addEventListener('paste', heard);
    return () => document.removeEventListener('paste', heard);
  });
}
