import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { allTenants } from '@namehold/postgres';
import type { SMTPServerAddress } from 'smtp-server';
import type { AppContext, Log } from '../core/app-context.ts';
import { addMailCounts, type MailOutcome } from '../core/mail-forwarding/counts.sql.ts';
import type { MailRoute } from '../core/mail-forwarding/routes.ts';
import { keepForwarded } from '../core/notices/mailbox.ts';
import type { FollowedRoutes } from './follow-routes.ts';
import { unreturnable } from './sender.ts';

const receiverLimits = {
  messageBytes: 1024 * 1024,
  recipients: 50,
  connections: 20,
  idleMs: 30_000,
  closeMs: 1_000,
};

export interface RunningReceiver {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** A negative SMTP reply. */
function reply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

interface Accepted {
  readonly domainId: string;
  readonly address: string;
  readonly targets: readonly string[];
}

function split(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at), address.slice(at + 1)];
}

/**
 * Sandbox mode: receives mail for forwarded domains with the routes of mail hosts and stores one copy for each target in the sandbox
 * mailbox. Nothing leaves the machine.
 */
export async function receiveMail(
  ctx: Pick<AppContext, 'db' | 'vault' | 'ids' | 'wall'>,
  followed: FollowedRoutes,
  options: { readonly host: string; readonly port: number; readonly log: Log },
): Promise<RunningReceiver> {
  const { host, log } = options;
  // Loaded on demand, because only a sandbox needs it.
  const { SMTPServer } = await import('smtp-server');
  const count = (domainId: string, outcome: MailOutcome) => countOne(ctx, domainId, outcome, log);
  const server = new SMTPServer({
    name: 'mail.namehold.invalid',
    banner: 'sandbox of Namehold',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: receiverLimits.messageBytes,
    maxClients: receiverLimits.connections,
    socketTimeout: receiverLimits.idleMs,
    closeTimeout: receiverLimits.closeMs,
    onRcptTo({ address }, session, done) {
      const { mailFrom } = session.envelope;
      const refused = mailFrom && mailFrom.address !== '' ? unreturnable(mailFrom.address) : undefined;
      if (refused !== undefined) return done(reply(Number(refused.slice(0, 3)), refused.slice(4)));
      if (session.envelope.rcptTo.length >= receiverLimits.recipients)
        return done(reply(452, `4.5.3 at most ${receiverLimits.recipients} recipients a message`));
      const classified = classify(followed, address);
      if (classified.domainId !== undefined && classified.outcome) count(classified.domainId, classified.outcome);
      return done(classified.no);
    },
    onData(stream, session, done) {
      readMessage(stream)
        .then(async (message) => {
          if (stream.sizeExceeded) throw reply(552, `5.3.4 at most ${receiverLimits.messageBytes} bytes a message`);
          // Refuses bare line feeds, which allow SMTP smuggling.
          if (/\r(?!\n)|(?<!\r)\n/.test(message)) throw reply(554, '5.6.11 lines must end with CR LF');
          const accepted = session.envelope.rcptTo.flatMap((one) => acceptedOf(followed, one));
          await deliver(ctx, accepted, session.envelope.mailFrom || undefined, message);
          for (const domainId of new Set(accepted.map((one) => one.domainId))) count(domainId, 'forwarded');
        })
        .then(
          () => done(null, '2.0.0 stored in the sandbox mailbox'),
          (error: Error) => done('responseCode' in error ? error : reply(451, '4.3.0 try again later')),
        );
    },
  });
  server.on('error', (error) => log.warn({ err: error }, 'mail receiver failed'));
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options.port, host, resolve);
  await listening;
  return {
    host,
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((ended) => server.close(() => ended())),
  };
}

interface Classified {
  readonly no: Error | null;
  readonly domainId?: string | undefined;
  readonly outcome?: MailOutcome;
}

function classify({ routes, isComplete }: FollowedRoutes, address: string): Classified {
  const domainId = routes.idOf(split(address)[1]);
  if (domainId === undefined)
    return {
      no: isComplete()
        ? reply(550, '5.7.1 mail for this domain is not accepted here')
        : reply(451, '4.3.0 try again later'),
    };
  const route = routes.routeOf(...split(address));
  switch (route.kind) {
    case 'targets':
      return { no: null };
    case 'wait':
      return { no: reply(450, `4.2.1 ${route.why}`), domainId, outcome: 'deferred' };
    case 'refused':
      return { no: reply(550, `5.2.1 ${route.why}`), domainId, outcome: 'refused' };
    case 'unknown':
      return { no: reply(550, '5.1.1 no such address'), domainId, outcome: 'refused' };
  }
}

/** Uses the routes at the end of the message, so that a withdrawn consent applies. */
function acceptedOf({ routes }: FollowedRoutes, { address }: SMTPServerAddress): Accepted[] {
  const domainId = routes.idOf(split(address)[1]);
  const route: MailRoute | { kind: 'unknown' } = routes.routeOf(...split(address));
  return domainId === undefined || route.kind !== 'targets' ? [] : [{ domainId, address, targets: route.addresses }];
}

async function readMessage(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= receiverLimits.messageBytes) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function deliver(
  ctx: Pick<AppContext, 'db' | 'vault' | 'ids' | 'wall'>,
  accepted: readonly Accepted[],
  from: SMTPServerAddress | undefined,
  message: string,
): Promise<void> {
  if (accepted.length === 0) throw reply(550, '5.1.1 no recipient is left');
  const sender = from?.address ?? '';
  const reached = new Set<string>();
  for (const { domainId, address, targets } of accepted)
    for (const target of targets.filter((each) => !reached.has(each))) {
      reached.add(target);
      await keepForwarded(ctx, { domainId, address, target, sender, message });
    }
}

function countOne(ctx: Pick<AppContext, 'db' | 'wall'>, domainId: string, outcome: MailOutcome, log: Log): void {
  const hour = new Date(Math.floor(ctx.wall.now().getTime() / 3_600_000) * 3_600_000);
  ctx.db
    .transaction(allTenants, (tx) => addMailCounts(tx, [{ domain_id: domainId, hour, outcome, messages: 1 }]))
    .catch((error: unknown) => log.warn({ err: error }, 'message not counted'));
}
