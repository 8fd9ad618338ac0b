import { textElement } from '../command/parts.ts';
import type { LoginSec, LoginSecEvent, UserAgent } from '../model/extension.ts';
import {
  attribute,
  child,
  children,
  compact,
  dateTime,
  neededAttribute,
  normalized,
  optionalToken,
} from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** RFC 8807 2.1: this value as pw or newPW of the login means that the real one is in the extension. */
export const LOGIN_SECURITY_MARK = '[LOGIN-SECURITY]';

/** RFC 8807 4.1 */
export function writeLoginSec(ns: string, login: LoginSec): XmlElement {
  const agent = login.userAgent;
  return element(
    ns,
    'loginSec',
    undefined,
    agent === undefined
      ? undefined
      : element(
          ns,
          'userAgent',
          undefined,
          textElement(ns, 'app', agent.app),
          textElement(ns, 'tech', agent.tech),
          textElement(ns, 'os', agent.os),
        ),
    textElement(ns, 'pw', login.pw),
    textElement(ns, 'newPW', login.newPW),
  );
}

export function readLoginSec(el: XmlElement): LoginSec {
  const agent = child(el, el.ns, 'userAgent');
  return compact<LoginSec>({
    userAgent:
      agent === undefined
        ? undefined
        : compact<UserAgent>({
            app: optionalToken(agent, el.ns, 'app'),
            tech: optionalToken(agent, el.ns, 'tech'),
            os: optionalToken(agent, el.ns, 'os'),
          }),
    pw: optionalToken(el, el.ns, 'pw'),
    newPW: optionalToken(el, el.ns, 'newPW'),
  });
}

export function writeLoginSecEvents(ns: string, events: readonly LoginSecEvent[]): XmlElement {
  const list = events.map((event) => {
    const attrs = {
      type: event.type,
      name: event.name,
      level: event.level,
      exDate: event.expiresAt?.toISOString(),
      value: event.value,
      duration: event.duration,
    };
    return element(ns, 'event', attrs, event.text === '' ? undefined : event.text);
  });
  return element(ns, 'loginSecData', undefined, list);
}

export function readLoginSecEvents(el: XmlElement): LoginSecEvent[] {
  return children(el, el.ns, 'event').map((event) => {
    const expires = attribute(event, 'exDate');
    return compact<LoginSecEvent>({
      type: neededAttribute(event, 'type'),
      level: attribute(event, 'level') === 'error' ? 'error' : 'warning',
      name: attribute(event, 'name'),
      expiresAt: expires === undefined ? undefined : dateTime(expires, 'exDate'),
      value: attribute(event, 'value'),
      duration: attribute(event, 'duration'),
      text: normalized(event),
    });
  });
}
