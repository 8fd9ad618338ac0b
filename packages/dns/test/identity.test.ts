import { describe, expect, it } from 'vitest';
import {
  answerQuery,
  CLASS,
  plainEdns,
  query,
  RCODE,
  readMessage,
  rrText,
  type ServerIdentity,
  writeMessage,
  ZoneTable,
} from '../src/index.ts';

const nsidCode = 3;
const zones = new ZoneTable();
const octets = (text: string) => Buffer.from(text, 'latin1');
const both: ServerIdentity = { version: octets('Namehold 1'), id: octets('ns1.fra') };

function ask(name: string, type: string, identity?: ServerIdentity) {
  const message = query(1, name, type);
  const edns = { ...plainEdns(), options: [{ code: nsidCode, octets: new Uint8Array() }] };
  const question = message.question.map((each) => ({ ...each, class: CLASS.CH }));
  const request = writeMessage({ ...message, question, edns });
  return readMessage(answerQuery(zones, request, { transport: 'udp', ...(identity ? { identity } : {}) })!);
}

describe('queries about the server', () => {
  it.each([
    ['version.bind.', 'Namehold 1'],
    ['VERSION.server.', 'Namehold 1'],
    ['id.server.', 'ns1.fra'],
    ['hostname.bind.', 'ns1.fra'],
  ])('%s in class CH returns the setting', (name, text) => {
    const answer = ask(name, 'TXT', both);
    expect([answer.rcode, answer.flags.authoritative]).toEqual([RCODE.NOERROR, true]);
    expect(answer.answer.map(rrText)[0]).toContain(`TXT "${text}"`);
    expect(answer.answer[0]).toMatchObject({ class: CLASS.CH, ttl: 0 });
  });

  it('are refused for unset fields and other names', () => {
    expect(ask('version.bind.', 'TXT').rcode).toBe(RCODE.REFUSED);
    expect(ask('id.server.', 'TXT', { version: both.version }).rcode).toBe(RCODE.REFUSED);
    expect(ask('authors.bind.', 'TXT', both).rcode).toBe(RCODE.REFUSED);
  });

  it('return NSID to a client that requests it, if it is set', () => {
    const nsid = (identity?: ServerIdentity) =>
      ask('id.server.', 'TXT', identity).edns?.options.find(({ code }) => code === nsidCode)?.octets;
    expect(Buffer.from(nsid(both)!).toString()).toBe('ns1.fra');
    expect(nsid()).toBeUndefined();
  });
});
