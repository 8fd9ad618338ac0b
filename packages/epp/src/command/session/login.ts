import type { LoginRequest } from '../../model/session.ts';
import { child, children, compact, need, neededToken, optionalToken, token } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import type { VerbCodec } from '../codec.ts';
import { textElement } from '../parts.ts';

export const login: VerbCodec<LoginRequest> = {
  rfc: 'RFC 5730 2.9.1.1',
  writeRequest(request, ns) {
    const own = ns.epp;
    const uris = (name: string, list: readonly string[]) => list.map((each) => element(own, name, undefined, each));
    return element(
      own,
      'login',
      undefined,
      textElement(own, 'clID', request.clID),
      textElement(own, 'pw', request.pw),
      textElement(own, 'newPW', request.newPW),
      element(
        own,
        'options',
        undefined,
        textElement(own, 'version', request.version),
        textElement(own, 'lang', request.lang),
      ),
      element(
        own,
        'svcs',
        undefined,
        uris('objURI', request.objURIs),
        request.extURIs.length === 0
          ? undefined
          : element(own, 'svcExtension', undefined, uris('extURI', request.extURIs)),
      ),
    );
  },
  readRequest(el) {
    const options = need(el, el.ns, 'options');
    const services = need(el, el.ns, 'svcs');
    const extensions = child(services, el.ns, 'svcExtension');
    return compact<LoginRequest>({
      object: 'session',
      verb: 'login',
      clID: neededToken(el, el.ns, 'clID'),
      pw: neededToken(el, el.ns, 'pw'),
      newPW: optionalToken(el, el.ns, 'newPW'),
      version: neededToken(options, el.ns, 'version'),
      lang: neededToken(options, el.ns, 'lang'),
      objURIs: children(services, el.ns, 'objURI').map(token),
      extURIs: extensions === undefined ? [] : children(extensions, el.ns, 'extURI').map(token),
    });
  },
};
