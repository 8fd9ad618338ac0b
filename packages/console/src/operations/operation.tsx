import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useNames } from '../activity/entry.tsx';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Facts } from '../components/facts.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { invalidate, useResource } from '../data/resource.ts';
import { isCustomer, may } from '../session/current-session.ts';
import { Approval } from './approval.tsx';
import { kindText } from './line.ts';
import { messages } from './messages.ts';
import { State } from './state.tsx';
import { Now, OperationLine, useOperation } from './step-line.tsx';
import { contactOfStep, stepText } from './step-text.ts';

type Operation = Schema<'Operation'>;

/** Possible until a command is sent. An operation that waits for approval is rejected instead. */
const canCancel = ({ state, approval }: Operation) => state === 'intended' && approval === null;

function Cancel({ operation }: { readonly operation: Operation }) {
  const t = messages();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<ApiError>();
  const cancel = async () => {
    setBusy(true);
    try {
      await call('post', '/operations/{operation_id}/cancel', { path: { operation_id: operation.operation_id } });
      toast(t.cancelled);
    } catch (cause) {
      setRefused(asApiError(cause));
    } finally {
      setBusy(false);
      await invalidate('/operations', '/domains', '/account');
    }
  };
  return (
    <>
      {refused && <ErrorBanner error={refused} />}
      {canCancel(operation) && (
        <div class="row">
          <Button kind="danger" busy={busy} onClick={() => void cancel()}>
            {t.cancel}
          </Button>
          <span class="faint">{t.cancelText}</span>
        </div>
      )}
    </>
  );
}

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** The requested change, and who requested it. */
function approvalRows({ wanted, asked_by }: NonNullable<Operation['approval']>, name: string | undefined) {
  const t = messages();
  const change = Object.entries(wanted).map(([key, value]) => `${key.replaceAll('_', ' ')}: ${textOf(value)}`);
  return [
    [t.requestedChange, change.join('; ') || '–'],
    [t.requestedBy, <CopyText key="by" text={asked_by} label={name} />],
  ] as const;
}

function Evidence({ operation }: { readonly operation: Operation }) {
  const t = messages();
  const nameOf = useNames(operation.approval !== null);
  const copied = (text: string | null) => (text ? <CopyText text={text} /> : <span class="faint">–</span>);
  const rows = [
    [t.id, copied(operation.operation_id)],
    [t.registry, operation.registry ?? '–'],
    ...(operation.approval ? approvalRows(operation.approval, nameOf(operation.approval.asked_by)) : []),
    [t.clTRID, copied(operation.cltrid)],
    [t.svTRID, copied(operation.svtrid)],
    ...(operation.result_text === null ? [] : [[t.lastResponse, operation.result_text] as const]),
    [t.transaction, operation.transaction_id ? <a href="/app/money">{operation.transaction_id}</a> : '–'],
    [t.outcomeSource, operation.proof ? t.outcomeSources[operation.proof] : '–'],
    [t.attempts, String(operation.attempts)],
    ...(!operation.is_final && operation.result_text ? [[t.registryResponse, operation.result_text] as const] : []),
    [t.request, copied(operation.request_id)],
    [t.placedAt, <Moment key="c" at={operation.created_at} withTime />],
    [t.endedAt, <Moment key="f" at={operation.finished_at ?? ''} withTime />],
  ] as const;
  return (
    <Card title={t.technicalDetails}>
      <Facts rows={rows} />
    </Card>
  );
}

function resultText(result: string | null): string {
  const t = messages();
  if (result === null) return '–';
  return t.results[result] ?? (t.states as Readonly<Record<string, string>>)[result] ?? result.replaceAll('_', ' ');
}

const contactSections = ['registrant_contact', 'admin_contact', 'tech_contact', 'billing_contact'] as const;

/** The names of the contacts of the operation's domain, by their ids. Only read if a step is about a contact. */
function useContactNames({ domain_name, steps }: Operation): (id: string) => string | undefined {
  const isNeeded = domain_name !== null && may('contacts:read') && steps.some((step) => contactOfStep(step.name));
  const inputs = { path: { domain_id: domain_name ?? '' }, query: { fields: [...contactSections] } };
  const domain = useResource('/domains/{domain_id}', isNeeded ? inputs : undefined).data;
  const found = (domain ?? {}) as Partial<Record<(typeof contactSections)[number], Schema<'Contact'> | null>>;
  const names = new Map(
    contactSections.flatMap((section) => {
      const contact = found[section];
      return contact ? [[contact.contact_id, contact.name] as const] : [];
    }),
  );
  return (id) => names.get(id);
}

function StepTitle({ step, contactName }: { step: string; contactName: (id: string) => string | undefined }) {
  const { title, about } = stepText(step, contactName);
  return (
    <span title={step}>
      {title}
      {about !== undefined && <span class="faint"> · {about}</span>}
    </span>
  );
}

function Done({ operation }: { readonly operation: Operation }) {
  const t = messages();
  const contactName = useContactNames(operation);
  return (
    <Card title={t.commands}>
      <Table
        label={t.commands}
        rows={operation.steps}
        keyOf={(row) => `${row.name} ${row.at}`}
        empty={<p>{t.noCommands}</p>}
        columns={[
          {
            key: 'name',
            title: t.command,
            isTitle: true,
            cell: (row) => <StepTitle step={row.name} contactName={contactName} />,
          },
          { key: 'result', title: t.result, cell: (row) => resultText(row.result) },
          { key: 'code', title: t.code, isNumber: true, cell: (row) => row.code ?? '–' },
          { key: 'at', title: t.at, cell: (row) => <Moment at={row.at} withTime /> },
        ]}
      />
    </Card>
  );
}

export default function OperationPage() {
  const t = messages();
  const id = useRoute().params.id ?? '';
  const resource = useOperation(id);
  const operation = resource.data;
  const name = operation?.domain_name;
  return (
    <>
      <PageHead
        title={operation ? `${kindText(operation)}${name ? `: ${name}` : ''}` : t.operation}
        lead={
          operation && (
            <>
              <State of={operation} />
              {name && (
                <>
                  {' · '}
                  <a href={`/app/domains/${name}`}>{t.viewDomain}</a>
                </>
              )}
            </>
          )
        }
        actions={<CopyCurl method="get" address={`/v1/operations/${id}`} />}
      />
      {resource.error && <ErrorBanner error={resource.error} />}
      {resource.isLoading && <Skeleton />}
      {operation && (
        <>
          <Card title={t.progress}>
            <OperationLine operation={operation} />
          </Card>
          <Now operation={operation} />
          <Approval operation={operation} />
          {may('domains:write') && <Cancel operation={operation} />}
          <div class="columns">
            {!isCustomer() && <Evidence operation={operation} />}
            <Done operation={operation} />
          </div>
        </>
      )}
    </>
  );
}
