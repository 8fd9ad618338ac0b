import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Moment } from '../components/moment.tsx';
import { Badge } from '../components/status-icon.tsx';
import { type Column, Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { messages } from './messages.ts';

type SessionRow = Schema<'OpenSession'>;

// Browsers also name those that they imitate, and Android also names Linux, so that the most specific name is first.
const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'];
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'CrOS', 'Linux'];
const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };

/** A readable browser name. The tooltip has the full text. */
export function browserName(text: string): string {
  const browser = browsers.find((each) => text.includes(each)) ?? '';
  const system = systems.find((each) => text.includes(each)) ?? '';
  return [names[browser] ?? browser, system].filter(Boolean).join(', ') || text.slice(0, 40);
}

export function OpenSessions() {
  const t = messages();
  const sessions = useResource('/me/sessions', {});
  const { busy, error, perform } = useSubmit();
  const ended = async (work: Promise<{ readonly body: { readonly ended: number } }>) => {
    const { body } = await work;
    await invalidate('/me/sessions');
    toast(t.ended(body.ended));
  };
  const endOne = ({ session_id }: SessionRow) =>
    perform(() => ended(call('delete', '/me/sessions/{session_id}', { path: { session_id } })));
  const others = (sessions.data?.length ?? 0) > 1;
  const verbs: Column<SessionRow> = {
    key: 'do',
    title: t.verbs,
    cell: (each) =>
      !each.is_this && (
        <Button small aria-label={`${t.end}: ${browserName(each.browser)}`} onClick={() => void endOne(each)}>
          {t.end}
        </Button>
      ),
  };
  return (
    <Card
      title={t.sessions}
      actions={
        others && (
          <Button busy={busy} onClick={() => void perform(() => ended(call('delete', '/me/sessions', {})))}>
            {t.endOthers}
          </Button>
        )
      }
    >
      {error && <ErrorBanner error={error} />}
      <Table
        label={t.sessions}
        rows={sessions.data}
        keyOf={(each) => each.session_id}
        error={sessions.error}
        onRetry={sessions.refetch}
        empty={null}
        columns={[
          {
            key: 'browser',
            title: t.browser,
            isTitle: true,
            cell: (each) => (
              <>
                <span title={each.browser}>{browserName(each.browser)}</span>{' '}
                {each.is_this && <Badge tone="accent">{t.thisOne}</Badge>}
              </>
            ),
          },
          { key: 'address', title: t.address, cell: (each) => <code>{each.address}</code> },
          { key: 'account', title: t.account, cell: (each) => each.company },
          { key: 'seen', title: t.lastUse, cell: (each) => <Moment at={each.last_seen_at} withTime /> },
          { key: 'ends', title: t.endsAt, cell: (each) => <Moment at={each.ends_at} /> },
          ...(others ? [verbs] : []),
        ]}
      />
    </Card>
  );
}
