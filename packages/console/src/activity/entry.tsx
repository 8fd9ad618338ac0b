import { useState } from 'preact/hooks';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { moneyText } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Tabs } from '../components/tabs.tsx';
import { useResource } from '../data/resource.ts';
import { registrarText } from '../domains/registrar-text.ts';
import { isCustomer, may } from '../session/current-session.ts';
import './activity.css';
import { messages } from './messages.ts';

/** The head shared by the audit log and the event log. */
export function LogHead({ tab, address }: { readonly tab: 'changes' | 'events'; readonly address: string }) {
  const t = messages();
  return (
    <>
      <PageHead title={t.log} lead={t.leads[tab]} actions={<CopyCurl method="get" address={address} />} />
      <Tabs
        label={t.log}
        tabs={[
          { href: '/app/log', label: t.changes, isCurrent: tab === 'changes' },
          { href: '/app/log/events', label: t.events, isCurrent: tab === 'events' },
        ]}
      />
    </>
  );
}

/** The labels of API keys and the names of users, by their ids. Removed ones have none. */
export function useNames(isNeeded = true): (id: string) => string | undefined {
  const readable = isNeeded && may('account:read') && !isCustomer() ? {} : undefined;
  const keys = useResource('/account/keys', readable).data ?? [];
  const users = useResource('/users', readable).data ?? [];
  const names = new Map([
    ...keys.map(({ key_id, label }) => [key_id, label] as const),
    ...users.map(({ user_id, name }) => [user_id, name] as const),
  ]);
  return (id) => names.get(id);
}

/** The user, or the API key with its label if known. */
export function Actor({
  of: { person_name, key_id },
  keyLabel,
}: {
  readonly of: Pick<Schema<'AuditEntry'>, 'person_name' | 'key_id'>;
  readonly keyLabel: string | undefined;
}) {
  const t = messages();
  if (person_name !== null) return <>{person_name}</>;
  if (key_id === null) return <span class="faint">{t.system}</span>;
  return (
    <span>
      {t.key}: {keyLabel ?? <Id id={key_id} />}
    </span>
  );
}

const places: Readonly<Record<string, string>> = {
  domain: 'domains',
  operation: 'operations',
  customer: 'customers',
  invoice: 'invoices',
};

/** Links to the page of the object if there is one. */
export function ObjectLink({
  type,
  id,
  name,
}: {
  readonly type: string;
  readonly id: string;
  /** Shown instead of the id, if known. */
  readonly name?: string | undefined;
}) {
  const place = places[type];
  return (
    <span>
      {messages().objectTypes[type] ?? type.replaceAll('_', ' ')}{' '}
      {place ? (
        <a href={`/app/${place}/${encodeURIComponent(id)}`} title={name && id}>
          {name ?? id}
        </a>
      ) : name === undefined ? (
        <Id id={id} />
      ) : (
        <span title={id}>{name}</span>
      )}
    </span>
  );
}

/** Shortens long ids on the page. The copy button copies the full id. */
export function Id({ id }: { readonly id: string | null }) {
  if (!id) return <span class="faint">–</span>;
  return (
    <span class="short">
      {id.length > 16 ? <CopyText text={id} label={`${id.slice(0, 8)}…${id.slice(-4)}`} /> : <code>{id}</code>}
    </span>
  );
}

type Row = readonly [title: string, value: string];

const isMoney = (value: object): value is { readonly amount: string; readonly currency: string } =>
  'amount' in value &&
  'currency' in value &&
  /^[A-Z]{3}$/.test(String(value.currency)) &&
  Object.keys(value).length === 2;

/** A value of an entry in words; a structure as JSON. */
function valueText(value: unknown): string {
  const t = messages();
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ') || '–';
  if (typeof value === 'object' && isMoney(value)) return moneyText(value.amount, value.currency);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const titleOf = (key: string): string => {
  const text = messages().fields[key] ?? key.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The ways in which a sign-in can be completed. */
function awaitedText(methods: readonly unknown[]): string {
  const t = messages();
  return methods.map((each) => t.factors[String(each)] ?? String(each)).join(` ${t.or} `);
}

const registrarKeys = /^(?:from_)?registrar$|^sponsor$/;

export const dataRows = (data: unknown): readonly Row[] =>
  Object.entries(data ?? {}).map(([key, value]) => [
    titleOf(key),
    key === 'awaits' && Array.isArray(value)
      ? awaitedText(value)
      : typeof value === 'string' && registrarKeys.test(key)
        ? registrarText(value)
        : valueText(value),
  ]);

interface Change {
  readonly before?: unknown;
  readonly after?: unknown;
  readonly address?: string | null;
}

/** The changed values, the old one before the new one, and the IP address of the request. */
export function changeRows({ before, after, address }: Change): readonly Row[] {
  const [old, present] = [new Map(dataRows(before)), new Map(dataRows(after))];
  const rows = [...new Set([...old.keys(), ...present.keys()])].map((title): Row => {
    const values = [old.get(title), present.get(title)].filter((each) => each !== undefined);
    return [title, values.join(' → ')];
  });
  // Background jobs have a name instead of an IP address.
  return address && /[.:]/.test(address) ? [...rows, [messages().ipAddress, address]] : rows;
}

/** All data of an entry, in a dialog because a table row is too narrow. */
export function Details({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }) {
  const t = messages();
  const [isOpen, setOpen] = useState(false);
  if (rows.length === 0) return <span class="faint">–</span>;
  return (
    <>
      <Button kind="quiet" small onClick={() => setOpen(true)}>
        {t.show}
      </Button>
      {isOpen && (
        <Dialog title={title} size="large" onClose={() => setOpen(false)}>
          <div class="entry">
            <Facts rows={rows} />
          </div>
        </Dialog>
      )}
    </>
  );
}
