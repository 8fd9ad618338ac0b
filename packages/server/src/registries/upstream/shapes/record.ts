import type { AppContext } from '../../../core/app-context.ts';
import type { UpstreamLogin } from '../../../core/ports/upstream-accounts.ts';
import type { Dialect, UpstreamClient } from '../dialect.ts';
import { openTrialClient } from '../trial-client.ts';
import type { Call } from '../wire.ts';
import { type FieldNames, merged, type Shape, type Shapes, shapeOf } from './shape.ts';

/** Registered by no one, so that a check and a query of its details have the answer for an unknown domain. */
const freeLabel = 'namehold-shape-query-4711';

interface Recorded {
  readonly shapes: Shapes;
  /** Keys that are no known field names. They are not part of the shapes. */
  readonly otherKeys: readonly string[];
}

/** Sends read-only calls of an account, and returns the shapes of the answers. Nothing is changed or stored. */
export async function recordShapes(
  ctx: Pick<AppContext, 'wall'>,
  login: UpstreamLogin,
  { tld, fields }: { readonly tld: string; readonly fields: FieldNames },
): Promise<Recorded> {
  const shapes = new Map<string, Shape>();
  const others = new Set<string>();
  const onAnswer = (call: Call, body: unknown) => {
    const label = labelOf(call, [login.clientId, tld]);
    shapes.set(
      label,
      merged(
        shapes.get(label),
        shapeOf(body, fields, (key) => others.add(key)),
      ),
    );
  };
  const { client, dialect, close } = await openTrialClient(ctx, login, { onAnswer });
  try {
    await sendQueries(dialect, client.send, { tld, clientId: login.clientId, now: ctx.wall.now() });
  } finally {
    close();
  }
  return {
    shapes: Object.fromEntries([...shapes].sort(([a], [b]) => (a < b ? -1 : 1))),
    otherKeys: [...others].sort(),
  };
}

/** Only queries. A query of the outlook of a transfer is left out, because it hastens a transfer at OpenSRS. */
async function sendQueries(
  dialect: Dialect,
  send: UpstreamClient,
  { tld, clientId, now }: { readonly tld: string; readonly clientId: string; readonly now: Date },
): Promise<void> {
  await dialect.balance(send, clientId);
  await dialect.offeredTlds?.(send);
  await dialect.priceList?.(send, [tld]);
  const free = `${freeLabel}.${tld}`;
  await send(dialect.check.call([free]));
  const list = await dialect.list?.(send, undefined);
  const ours = list?.kind === 'done' ? list.data.rows.find(({ isOurs }) => isOurs)?.name : undefined;
  for (const name of [...(ours === undefined ? [] : [ours]), free]) {
    if (dialect.detail.fetch) await dialect.detail.fetch(send, name);
    else await send(dialect.detail.call(name));
    await dialect.findOrders?.find(send, name, now);
  }
  await dialect.statement?.(send, undefined);
  await dialect.probe(send);
}

/** The call without what differs between accounts: names, ids and handles. */
function labelOf({ method, path, message }: Call, variable: readonly string[]): string {
  const { action, object } = (message ?? {}) as { readonly action?: unknown; readonly object?: unknown };
  if (typeof action === 'string') return `${action} ${typeof object === 'string' ? object : ''}`.trim();
  const segments = path.replace(/\.json$/, '').split('/');
  const plain = segments.map((segment) => (/[\d.@:%]/.test(segment) || variable.includes(segment) ? '*' : segment));
  return `${method} ${plain.join('/')}`;
}
