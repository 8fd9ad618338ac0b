import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ALL_NAMESPACES,
  IETF_NAMESPACES,
  loadSchemas,
  type Namespaces,
  parseXml,
  RESULT_TEXTS,
  readCommand,
  readGreeting,
  readResponse,
  type Schemas,
  writeCommand,
  writeGreetingFrame,
  writeHelloFrame,
  writeResponse,
} from '../src/index.ts';
import { SAMPLE_GREETING, SAMPLE_IDS } from './support/sample-parts.ts';
import { REQUESTS } from './support/sample-requests.ts';
import { RESPONSES } from './support/sample-responses.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/', import.meta.url));
const NS = ALL_NAMESPACES;
let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

const fixture = (path: string) => readFileSync(`${FOLDER}${path}.xml`);
const paths = (kind: 'request' | 'response') =>
  readdirSync(`${FOLDER}${kind}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.xml'))
    .map((file) => file.slice(0, -'.xml'.length))
    .sort();

test('every sample request has an answer', () => {
  const answers = new Set(paths('response'));
  expect(paths('request').filter((path) => !answers.has(path))).toEqual([]);
});

test('samples and fixtures match one to one', () => {
  expect(paths('request')).toEqual([...Object.keys(REQUESTS), 'session/hello'].sort());
  expect(paths('response')).toEqual([...Object.keys(RESPONSES), 'session/hello'].sort());
});

describe('fixtures of requests', () => {
  test.each(Object.entries(REQUESTS))('%s matches its sample', (path, request) => {
    expect(schemas.validator(fixture(`request/${path}`))).toEqual([]);
    expect(readCommand(parseXml(fixture(`request/${path}`)), NS)).toMatchObject({ kind: 'command', request });
    const written = writeCommand(request, SAMPLE_IDS.clTRID, NS);
    expect(schemas.validator(written)).toEqual([]);
    const read = readCommand(parseXml(written), NS);
    expect(read).toMatchObject({ kind: 'command', clTRID: SAMPLE_IDS.clTRID });
    if (read.kind === 'command') expect(read.request).toEqual(request);
  });
});

describe('fixtures of answers', () => {
  test.each(Object.entries(RESPONSES))('%s matches its sample', (path, { verb, spec }) => {
    expect(schemas.validator(fixture(`response/${path}`))).toEqual([]);
    const written = writeResponse(spec, SAMPLE_IDS, NS, verb);
    expect(schemas.validator(written)).toEqual([]);
    const wanted = {
      ...spec,
      results: spec.results.map((result) => ({ msg: RESULT_TEXTS[result.code], ...result })),
      ext: spec.ext ?? {},
      ...SAMPLE_IDS,
    };
    expect(readResponse(parseXml(written), NS)).toEqual(wanted);
    if (path !== 'domain/unhandled-namespaces') {
      expect(readResponse(parseXml(fixture(`response/${path}`)), NS)).toEqual(wanted);
    }
  });
});

test('writes and reads hello and greeting', () => {
  expect(schemas.validator(fixture('request/session/hello'))).toEqual([]);
  expect(readCommand(parseXml(writeHelloFrame(NS)), NS)).toEqual({ kind: 'hello' });
  expect(schemas.validator(fixture('response/session/hello'))).toEqual([]);
  expect(readGreeting(parseXml(fixture('response/session/hello')), NS)).toEqual(SAMPLE_GREETING);
  expect(schemas.validator(writeGreetingFrame(SAMPLE_GREETING, NS))).toEqual([]);
});

test('supports a registry with its own namespaces by a profile alone', () => {
  const own: Namespaces = { epp: 'urn:x:epp-2.1', domain: 'urn:x:domain-2.1', secDNS: IETF_NAMESPACES.secDNS };
  const written = writeCommand({ object: 'domain', verb: 'delete', name: 'a.pl' }, 'ABC-1', own);
  expect(written).toContain('xmlns="urn:x:epp-2.1"');
  expect(written).toContain('xmlns:domain="urn:x:domain-2.1"');
  const read = readCommand(parseXml(written), own);
  expect(read).toMatchObject({ kind: 'command', request: { object: 'domain', verb: 'delete', name: 'a.pl' } });
  expect(readCommand(parseXml(written.replaceAll('urn:x:domain-2.1', 'urn:y')), own)).toMatchObject({ code: 2307 });
  expect(() => writeCommand({ object: 'host', verb: 'info', name: 'ns.a.pl' }, 'ABC-1', own)).toThrow('not served');
});

test('keeps unknown elements and statuses without an error', () => {
  const xml = fixture('response/domain/info')
    .toString()
    .replace('s="ok"', 's="frobbed"')
    .replace('</domain:infData>', '<x:new xmlns:x="urn:x">1</x:new></domain:infData>')
    .replace('<trID>', '<extension><x:extra xmlns:x="urn:x" a="1">text</x:extra></extension><trID>');
  const response = readResponse(parseXml(xml), NS);
  expect(response.data).toMatchObject({ statuses: [{ value: 'frobbed' }] });
  expect(response.ext.other).toEqual([{ ns: 'urn:x', name: 'extra', attrs: { a: '1' }, children: ['text'] }]);
});
