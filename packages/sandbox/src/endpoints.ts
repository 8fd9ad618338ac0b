import { loadSchemas, NAMESTORE, type Namespaces, type Schemas } from '@namehold/epp';
import { createEppServer, type EppServer } from '@namehold/epp/server';
import type { CommandCounters } from './control/command-counters.ts';
import type { FaultInjector } from './faults/fault-injector.ts';
import { rememberPassword } from './identity/accounts.ts';
import { authenticator } from './identity/authenticate.ts';
import { type CertificateFiles, readPem } from './identity/certificates.ts';
import { dispatch, endpointKey } from './registry/dispatch.ts';
import type { Endpoint, Registry } from './registry/registry.ts';
import { onlyServed } from './registry/served.ts';
import type { SandboxOptions } from './sandbox.ts';
import type { RegistrySystem } from './systems/index.ts';
import { sandboxLimits, sandboxNamespaces } from './tlds/index.ts';

/** The services of one EPP endpoint. */
export interface EndpointOptions {
  readonly name: string;
  readonly svID: string;
  readonly namespaces: Namespaces;
  readonly otherExtensionURIs: readonly string[];
  readonly idleMs: number;
  readonly endpoint: Endpoint;
}

/** The default endpoint: every TLD, and every extension that the sandbox supports. */
export const allTldsEndpoint = (registry: Registry): EndpointOptions => ({
  name: 'all',
  svID: 'Namehold Sandbox Registry',
  namespaces: sandboxNamespaces,
  otherExtensionURIs: [NAMESTORE.uri],
  idleMs: sandboxLimits.idleMs,
  endpoint: registry.endpoint,
});

export const systemEndpoint = (registry: Registry, system: RegistrySystem): EndpointOptions => ({
  ...system,
  endpoint: {
    tlds: new Map(
      [...registry.tlds]
        .filter(([name]) => system.tlds.includes(name))
        .map(([name, tld]) => [name, { ...tld, ...system.policy, rules: { ...tld.rules, ...system.rules } }]),
    ),
    maxNamesPerCheck: system.maxNamesPerCheck,
    needsAuthInfo: system.namespaces.secureAuthInfo === undefined,
    ...(system.keysys ? { keysys: { uri: system.namespaces.keysys!, ...system.keysys } } : {}),
  },
});

interface Parts {
  readonly options: SandboxOptions;
  readonly registry: Registry;
  readonly files: CertificateFiles;
  /** Validates answers too. */
  readonly schemas: Schemas | undefined;
  readonly counters: CommandCounters;
  readonly faultInjector: FaultInjector;
}

/** Opens the EPP endpoints: schemas, accounts, the fault injector and the registry. */
export function endpointOpener(parts: Parts): (offer: EndpointOptions) => EppServer {
  const { options, registry, files, schemas, counters, faultInjector } = parts;
  const { folder, onEvent } = options;
  const authenticate = authenticator(registry.db, (clientId, password) => {
    rememberPassword(folder, clientId, password);
    onEvent?.({ type: 'password-changed', clientId });
  });
  const tls = {
    key: readPem(files.serverKeyFile),
    cert: readPem(files.serverCertFile),
    clientCa: readPem(files.caFile),
    requireClientCert: true,
  };
  return ({ endpoint, ...offer }) =>
    createEppServer({
      tls,
      namespaces: offer.namespaces,
      otherExtensionURIs: offer.otherExtensionURIs,
      svID: offer.svID,
      loadValidator: async () => (await loadSchemas()).validator,
      ...(schemas ? { validateAnswers: schemas.validator } : {}),
      authenticate(login, session) {
        session.attributes.set(endpointKey, endpoint);
        return authenticate(login, session);
      },
      dispatch: async (command, session) => onlyServed(await dispatch(registry, command, session), offer.namespaces),
      hooks: faultInjector.hooks,
      newSvTRID: () => registry.ids.next('NH'),
      idleMs: options.idleMs ?? offer.idleMs,
      maxFrameBytes: sandboxLimits.maxFrameBytes,
      onEvent(event) {
        // Each endpoint counts its sessions from one.
        counters.observe({ ...event, session: `${offer.name} ${event.session}` });
        onEvent?.(event);
      },
    });
}
