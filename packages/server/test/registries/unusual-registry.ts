import { type AuthInfo, type DomainInfData, IETF_NAMESPACES, type Namespaces, type ResponseSpec } from '@namehold/epp';
import { createEppServer, type DispatchedCommand, refusal, type ServerSession } from '@namehold/epp/server';
import { testAuthority } from '../../../epp/test/support/certificates.ts';

const { epp, domain, contact } = IETF_NAMESPACES;

interface Habits {
  namespaces: Namespaces;
  /** Extensions whose elements it accepts unread. */
  otherExtensionURIs: readonly string[];
  /** An auth code that does not match is refused. */
  secret: RegExp;
  /** The answer to info for domains of other sponsors. */
  strangersGet: number;
  /** Sees every command before it is executed; a returned answer replaces the registry's. */
  meddle(command: DispatchedCommand, session: ServerSession): ResponseSpec | undefined;
  /** Sees every answer. */
  finish(command: DispatchedCommand, answer: ResponseSpec): ResponseSpec;
  /** Edits the finished answer to a command. */
  rewrite(command: { readonly object: string; readonly verb: string }, xml: string): string;
}

interface Held {
  clID: string;
  pw: string;
  created: Date;
  expires: Date;
  ns: DomainInfData['ns'];
  registrant: string | undefined;
  statuses: string[];
}

const ok = (data?: ResponseSpec['data']): ResponseSpec => ({ results: [{ code: 1000 }], ...(data ? { data } : {}) });
const years = (from: Date, count: number) =>
  new Date(Date.UTC(from.getUTCFullYear() + count, from.getUTCMonth(), from.getUTCDate()));

/**
 * A registry with other capabilities than the sandbox: no extensions, host attributes, auth codes on every object, domains shown to
 * their sponsor alone. `capabilities` may be changed at any time.
 */
export async function unusualRegistry(given: Partial<Habits> = {}) {
  const authority = await testAuthority();
  const identity = await authority.issue('registry.test');
  const capabilities: Habits = {
    namespaces: { epp, domain, contact },
    otherExtensionURIs: [],
    secret: /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{16}$/,
    strangersGet: 2201,
    meddle: () => undefined,
    finish: (_command, answer) => answer,
    rewrite: (_command, xml) => xml,
    ...given,
  };
  const names = new Map<string, Held>();
  const contacts = new Set<string>();
  const messages: { id: string; text: string }[] = [];
  const seen: DispatchedCommand[] = [];
  const isSecret = (auth: AuthInfo | undefined) => auth !== undefined && capabilities.secret.test(auth.pw);

  function carryOut(command: DispatchedCommand, clID: string): ResponseSpec {
    if (command.object === 'poll') {
      if (command.verb === 'ack') messages.shift();
      const [first] = messages;
      if (command.verb === 'ack' || !first) return { results: [{ code: command.verb === 'ack' ? 1000 : 1300 }] };
      return { results: [{ code: 1301 }], msgQ: { count: messages.length, ...first } };
    }
    if (command.object === 'contact') {
      if (command.verb === 'create') {
        if (!isSecret(command.authInfo)) return refusal(2005, 'authInfo');
        contacts.add(command.id);
        return ok({ object: 'contact', type: 'creData', id: command.id, crDate: new Date() });
      }
      return command.verb === 'update' ? ok() : refusal(2201);
    }
    if (command.object !== 'domain') return refusal(2307);
    if (command.verb === 'check')
      return ok({
        object: 'domain',
        type: 'chkData',
        items: command.names.map((id) => ({ id, available: !names.has(id) })),
      });
    const held = names.get(command.name);
    if (command.verb === 'create') {
      if (held) return refusal(2302);
      if (!isSecret(command.authInfo)) return refusal(2005, 'authInfo');
      if (command.ns?.model === 'objects') return refusal(2102, 'host attributes only');
      const created = new Date();
      const expires = years(created, command.period?.value ?? 1);
      const { ns, registrant } = command;
      names.set(command.name, { clID, pw: command.authInfo.pw, created, expires, ns, registrant, statuses: [] });
      return ok({ object: 'domain', type: 'creData', name: command.name, crDate: created, exDate: expires });
    }
    if (!held) return refusal(2303);
    if (command.verb === 'info') {
      if (held.clID !== clID) return refusal(capabilities.strangersGet);
      return ok(shown(command.name, held));
    }
    if (command.verb === 'transfer') return refusal(2301);
    if (held.clID !== clID) return refusal(2201);
    if (command.verb === 'renew') {
      held.expires = years(held.expires, command.period?.value ?? 1);
      return ok({ object: 'domain', type: 'renData', name: command.name, exDate: held.expires });
    }
    if (command.verb === 'delete') {
      names.delete(command.name);
      return ok();
    }
    const auth = command.chg?.authInfo;
    if (auth) {
      if ('unset' in auth || !isSecret(auth)) return refusal(2005, 'authInfo');
      held.pw = auth.pw;
    }
    for (const part of [command.add?.ns, command.rem?.ns])
      if (part?.model === 'objects') return refusal(2102, 'host attributes only');
    const [added, removed] = [command.add?.ns, command.rem?.ns];
    const kept = (held.ns?.model === 'attributes' ? held.ns.hosts : []).filter(
      (host) => !(removed?.model === 'attributes' && removed.hosts.some(({ name }) => name === host.name)),
    );
    held.ns = { model: 'attributes', hosts: [...kept, ...(added?.model === 'attributes' ? added.hosts : [])] };
    held.statuses = [
      ...held.statuses.filter((status) => !command.rem?.statuses?.some(({ value }) => value === status)),
      ...(command.add?.statuses ?? []).map(({ value }) => value),
    ];
    return ok();
  }

  const shown = (name: string, held: Held): DomainInfData => ({
    object: 'domain',
    type: 'infData',
    name,
    roid: 'D1-STRANGE',
    statuses: (held.statuses.length > 0 ? held.statuses : ['ok']).map((value) => ({ value })),
    ...(held.registrant ? { registrant: held.registrant } : {}),
    contacts: [],
    ...(held.ns ? { ns: held.ns } : {}),
    hosts: [],
    clID: held.clID,
    crDate: held.created,
    exDate: held.expires,
  });

  const server = createEppServer({
    tls: { key: identity.key, cert: identity.cert },
    get namespaces() {
      return capabilities.namespaces;
    },
    get otherExtensionURIs() {
      return capabilities.otherExtensionURIs;
    },
    svID: 'Strange registry',
    authenticate: async () => ({ kind: 'accepted' }),
    hooks: {
      shapeAnswer: async (command, _session, response) => ({
        response,
        rewrite: (xml) => capabilities.rewrite(command, xml),
      }),
    },
    async dispatch(command, session) {
      seen.push(command);
      return capabilities.finish(command, capabilities.meddle(command, session) ?? carryOut(command, session.clID!));
    },
  });
  const port = await server.listen(0);
  return {
    port,
    ca: authority.ca,
    capabilities,
    names,
    /** Messages in our queue. */
    messages,
    /** Every received command. */
    seen,
    /** `domain:create` of this name and the like. */
    count: (what: string, name: string) =>
      seen.filter((each) => `${each.object}:${each.verb}` === what && 'name' in each && each.name === name).length,
    /** Makes another registrar its sponsor. */
    give(name: string) {
      const created = new Date();
      const ns = undefined;
      names.set(name, {
        clID: 'other',
        pw: 'x',
        created,
        expires: years(created, 1),
        ns,
        registrant: undefined,
        statuses: [],
      });
    },
    close: () => server.close(),
  };
}

export type UnusualRegistry = Awaited<ReturnType<typeof unusualRegistry>>;
