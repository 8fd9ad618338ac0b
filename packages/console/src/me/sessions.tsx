import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { changed, useResource } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Badge } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { words } from './words.ts';

type Open = Shape<'OpenSession'>;

/** What a person calls it; the whole text is in the tooltip. */
function browserName(text: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)/.exec(text)?.[1] ?? '';
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' };
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)/.exec(text)?.[1] ?? '';
  return [names[browser] ?? browser, system].filter(Boolean).join(', ') || text.slice(0, 40);
}

export function OpenSessions() {
  const w = words();
  const sessions = useResource('/me/sessions', {});
  const { busy, trouble, act } = useAct();
  const ended = async (work: Promise<{ readonly body: { readonly ended: number } }>) => {
    const { body } = await work;
    await changed('/me/sessions');
    toast(w.ended(body.ended));
  };
  const endOne = ({ session_id }: Open) =>
    act(() => ended(call('delete', '/me/sessions/{session_id}', { path: { session_id } })));
  const others = (sessions.data?.length ?? 0) > 1;
  const verbs: Column<Open> = {
    key: 'do',
    title: w.verbs,
    cell: (each) =>
      !each.is_this && (
        <Button small aria-label={`${w.end}: ${browserName(each.browser)}`} onClick={() => void endOne(each)}>
          {w.end}
        </Button>
      ),
  };
  return (
    <Card
      title={w.sessions}
      actions={
        others && (
          <Button busy={busy} onClick={() => void act(() => ended(call('delete', '/me/sessions', {})))}>
            {w.endOthers}
          </Button>
        )
      }
    >
      {trouble && <TroubleNote trouble={trouble} />}
      <Table
        label={w.sessions}
        rows={sessions.data}
        keyOf={(each) => each.session_id}
        trouble={sessions.trouble}
        onAgain={sessions.again}
        empty={null}
        columns={[
          {
            key: 'browser',
            title: w.browser,
            isTitle: true,
            cell: (each) => (
              <>
                <span title={each.browser}>{browserName(each.browser)}</span>{' '}
                {each.is_this && <Badge tone="accent">{w.thisOne}</Badge>}
              </>
            ),
          },
          { key: 'address', title: w.address, cell: (each) => <code>{each.address}</code> },
          { key: 'account', title: w.account, cell: (each) => each.company },
          { key: 'seen', title: w.lastUse, cell: (each) => <Moment at={each.last_seen_at} withTime /> },
          { key: 'ends', title: w.endsAt, cell: (each) => <Moment at={each.ends_at} /> },
          ...(others ? [verbs] : []),
        ]}
      />
    </Card>
  );
}
