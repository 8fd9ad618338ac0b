import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Empty } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Icon } from '../components/icon.tsx';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { Table } from '../components/table.tsx';
import { toast, toastError } from '../components/toast.tsx';
import { invalidate, useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { ApplyToDomains } from './template-bulk.tsx';
import { ChooseDefault, DefaultLine } from './template-default.tsx';
import { EditTemplate, fieldsOf, newTemplate } from './template-edit.tsx';
import { aboutOf, type Head } from './template-form.tsx';
import { messages } from './template-messages.ts';
import './zones.css';

type Template = Schema<'ZoneTemplate'>;
type Open =
  | { readonly kind: 'make' }
  | { readonly kind: 'change' | 'copy'; readonly of: Template }
  | { readonly kind: 'many' | 'remove' | 'begin'; readonly of: Head };

const readTemplate = async (id: string | null): Promise<Template> =>
  (await call('get', '/zone_templates/{template_id}', { path: { template_id: id ?? '' } })).body;

/** `/templates`: own, inherited and built-in templates. */
export default function TemplateList() {
  const t = messages();
  const heads = useResource('/zone_templates', {});
  const chosen = useResource('/account/zone_template', {});
  const [open, setOpen] = useState<Open>();
  const isWriter = may('dns:write');
  const make = isWriter && (
    <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: 'make' })}>
      {t.make}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t.templates}
        lead={t.lead}
        actions={
          <>
            <CopyCurl method="get" address="/v1/zone_templates" />
            {make}
          </>
        }
      />
      {chosen.data && <DefaultLine of={chosen.data} isWriter={isWriter} />}
      <Table
        label={t.templates}
        rows={heads.data}
        keyOf={(head) => head.template_id ?? ''}
        error={heads.error}
        onRetry={heads.refetch}
        empty={<Empty title={t.templates} action={make} />}
        columns={[
          { key: 'name', title: t.name, isTitle: true, cell: (head) => head.name },
          { key: 'about', title: t.description, cell: (head) => aboutOf(head) || '—' },
          {
            key: 'whose',
            title: t.owner,
            cell: (head) => <OwnerMark of={head} isDefault={head.template_id === chosen.data?.template_id} />,
          },
          { key: 'records', title: t.records, isNumber: true, cell: (head) => head.rrset_count },
          { key: 'at', title: t.changedAt, cell: (head) => (head.updated_at ? <Moment at={head.updated_at} /> : '—') },
          ...(isWriter
            ? [{ key: 'do', title: t.verbs, cell: (head: Head) => <Verbs of={head} onOpen={setOpen} /> }]
            : []),
        ]}
      />
      <TemplateDialogs open={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

function OwnerMark({ of: { whose, is_shared }, isDefault }: { readonly of: Head; readonly isDefault: boolean }) {
  const t = messages();
  const tone = whose === 'own' ? 'good' : whose === 'built_in' ? 'plain' : 'accent';
  return (
    <>
      <Badge tone={tone}>{t.owners[whose]}</Badge>
      {whose === 'own' && is_shared && (
        <>
          {' '}
          <Badge>{t.sharedMark}</Badge>
        </>
      )}
      {isDefault && (
        <>
          {' '}
          <Badge tone="accent">{t.defaultMark}</Badge>
        </>
      )}
    </>
  );
}

function Verbs({ of, onOpen }: { readonly of: Head; readonly onOpen: (open: Open) => void }) {
  const t = messages();
  const withRecords = (kind: 'change' | 'copy') => () =>
    void readTemplate(of.template_id)
      .then((template) => onOpen({ kind, of: template }))
      .catch(toastError);
  const own: MenuItem[] =
    of.whose === 'own'
      ? [
          { key: 'change', label: t.change, act: withRecords('change') },
          { key: 'remove', label: t.remove, isDanger: true, act: () => onOpen({ kind: 'remove', of }) },
        ]
      : [];
  return (
    <Menu
      label={t.actions(of.name)}
      className="button quiet small"
      items={[
        { key: 'many', label: t.many, act: () => onOpen({ kind: 'many', of }) },
        { key: 'begin', label: t.setDefault, act: () => onOpen({ kind: 'begin', of }) },
        { key: 'copy', label: t.copy, act: withRecords('copy') },
        ...own,
      ]}
    >
      <Icon name="more" />
    </Menu>
  );
}

function TemplateDialogs({ open, onClose }: { readonly open: Open | undefined; readonly onClose: () => void }) {
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
      return <ApplyToDomains head={open.of} onClose={onClose} />;
    case 'begin':
      return <ChooseDefault head={open.of} onClose={onClose} />;
    case 'remove':
      return <Remove of={open.of} onClose={onClose} />;
  }
}

function Remove({ of, onClose }: { readonly of: Head; readonly onClose: () => void }) {
  const t = messages();
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      const path = { template_id: of.template_id ?? '' };
      await call('delete', '/zone_templates/{template_id}', { path }, { ifMatch: `"${of.version}"` });
      void invalidate('/zone_templates');
      void invalidate('/account/zone_template');
      toast(t.deleted(of.name));
      onClose();
    } catch (cause) {
      setError(asApiError(cause));
    }
    setBusy(false);
  };
  return (
    <Dialog title={t.removeTitle(of.name)} onClose={onClose}>
      <p>{t.removeText}</p>
      {error && <ErrorBanner error={error} />}
      <div class="actions">
        <Button kind="danger" busy={isBusy} onClick={() => void remove()}>
          {t.remove}
        </Button>
      </div>
    </Dialog>
  );
}
