import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { changed, useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Badge } from '../parts/light.tsx';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { ChooseDefault, DefaultLine } from './template-default.tsx';
import { EditTemplate, fieldsOf, newTemplate } from './template-edit.tsx';
import { aboutOf, type Head } from './template-form.tsx';
import { ManyNames } from './template-many.tsx';
import { words } from './template-words.ts';
import './zones.css';

type Template = Shape<'ZoneTemplate'>;
type Open =
  | { readonly kind: 'make' }
  | { readonly kind: 'change' | 'copy'; readonly of: Template }
  | { readonly kind: 'many' | 'remove' | 'begin'; readonly of: Head };

const readTemplate = async (id: string | null): Promise<Template> =>
  (await call('get', '/zone_templates/{template_id}', { path: { template_id: id ?? '' } })).body;

/** `/templates`: the account's own, those from above and those that come along. */
export default function TemplateList() {
  const w = words();
  const heads = useResource('/zone_templates', {});
  const chosen = useResource('/account/zone_template', {});
  const [open, setOpen] = useState<Open>();
  const isWriter = may('dns:write');
  const make = isWriter && (
    <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: 'make' })}>
      {w.make}
    </Button>
  );
  return (
    <>
      <PageHead
        title={w.templates}
        lead={w.lead}
        actions={
          <>
            <CopyCurl method="get" address="/v1/zone_templates" />
            {make}
          </>
        }
      />
      {chosen.data && <DefaultLine of={chosen.data} isWriter={isWriter} />}
      <Table
        label={w.templates}
        rows={heads.data}
        keyOf={(head) => head.template_id ?? ''}
        trouble={heads.trouble}
        onAgain={heads.again}
        empty={<Empty title={w.templates} action={make} />}
        columns={[
          { key: 'name', title: w.name, isTitle: true, cell: (head) => head.name },
          { key: 'about', title: w.description, cell: (head) => aboutOf(head) || '—' },
          {
            key: 'whose',
            title: w.standing,
            cell: (head) => <Whose of={head} isDefault={head.template_id === chosen.data?.template_id} />,
          },
          { key: 'records', title: w.records, isNumber: true, cell: (head) => head.rrset_count },
          { key: 'at', title: w.changedAt, cell: (head) => (head.updated_at ? <Moment at={head.updated_at} /> : '—') },
          ...(isWriter
            ? [{ key: 'do', title: w.verbs, cell: (head: Head) => <Verbs of={head} onOpen={setOpen} /> }]
            : []),
        ]}
      />
      <Opened open={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

function Whose({ of: { whose, is_shared }, isDefault }: { readonly of: Head; readonly isDefault: boolean }) {
  const w = words();
  const tone = whose === 'own' ? 'good' : whose === 'built_in' ? 'plain' : 'accent';
  return (
    <>
      <Badge tone={tone}>{w.whose[whose]}</Badge>
      {whose === 'own' && is_shared && (
        <>
          {' '}
          <Badge>{w.sharedMark}</Badge>
        </>
      )}
      {isDefault && (
        <>
          {' '}
          <Badge tone="accent">{w.defaultMark}</Badge>
        </>
      )}
    </>
  );
}

function Verbs({ of, onOpen }: { readonly of: Head; readonly onOpen: (open: Open) => void }) {
  const w = words();
  const withRecords = (kind: 'change' | 'copy') => () =>
    void readTemplate(of.template_id)
      .then((template) => onOpen({ kind, of: template }))
      .catch((error: unknown) => toast(asTrouble(error).message));
  const own: MenuItem[] =
    of.whose === 'own'
      ? [
          { key: 'change', label: w.change, act: withRecords('change') },
          { key: 'remove', label: w.remove, isDanger: true, act: () => onOpen({ kind: 'remove', of }) },
        ]
      : [];
  return (
    <Menu
      label={w.actions(of.name)}
      look="button quiet small"
      items={[
        { key: 'many', label: w.many, act: () => onOpen({ kind: 'many', of }) },
        { key: 'begin', label: w.begin, act: () => onOpen({ kind: 'begin', of }) },
        { key: 'copy', label: w.copy, act: withRecords('copy') },
        ...own,
      ]}
    >
      <Icon name="more" />
    </Menu>
  );
}

function Opened({ open, onClose }: { readonly open: Open | undefined; readonly onClose: () => void }) {
  switch (open?.kind) {
    case undefined:
      return null;
    case 'make':
      return <EditTemplate of={undefined} object="new" initial={newTemplate} onClose={onClose} />;
    case 'copy':
      return (
        <EditTemplate
          of={undefined}
          object={`copy/${open.of.template_id}`}
          initial={{ ...fieldsOf(open.of), name: '', isShared: false }}
          onClose={onClose}
        />
      );
    case 'change':
      return (
        <EditTemplate
          of={open.of}
          object={`${open.of.template_id}/${open.of.version}`}
          initial={fieldsOf(open.of)}
          onClose={onClose}
        />
      );
    case 'many':
      return <ManyNames head={open.of} onClose={onClose} />;
    case 'begin':
      return <ChooseDefault head={open.of} onClose={onClose} />;
    case 'remove':
      return <Remove of={open.of} onClose={onClose} />;
  }
}

function Remove({ of, onClose }: { readonly of: Head; readonly onClose: () => void }) {
  const w = words();
  const [trouble, setTrouble] = useState<Trouble>();
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      const path = { template_id: of.template_id ?? '' };
      await call('delete', '/zone_templates/{template_id}', { path }, { ifMatch: `"${of.version}"` });
      void changed('/zone_templates');
      void changed('/account/zone_template');
      toast(w.deleted(of.name));
      onClose();
    } catch (error) {
      setTrouble(asTrouble(error));
    }
    setBusy(false);
  };
  return (
    <Dialog title={w.removeAsk(of.name)} onClose={onClose}>
      <p>{w.removeSays}</p>
      {trouble && <TroubleNote trouble={trouble} />}
      <div class="actions">
        <Button kind="danger" busy={isBusy} onClick={() => void remove()}>
          {w.remove}
        </Button>
      </div>
    </Dialog>
  );
}
