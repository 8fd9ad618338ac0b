import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ALL_NAMESPACES,
  type ContactCreateRequest,
  checkRequest,
  contactFieldOf,
  DEFAULT_PROFILE,
  type DomainCreateRequest,
  declaredFields,
  type EppRequest,
  extensionUris,
  faultsOf,
  loadSchemas,
  parseXml,
  type ResponseSpec,
  readCommand,
  readResponse,
  type Schemas,
  TLD_EXTENSIONS,
  type TldFields,
  writeCommand,
  writeMapped,
  writeResponse,
} from '../src/index.ts';
import { RESPONSES } from './support/sample-responses.ts';

/** Each extension of a TLD has its folder, and its fixtures are valid by its schema. */
const folder = fileURLToPath(new URL('../src/tld/', import.meta.url));
const names = TLD_EXTENSIONS.map(({ name }) => name);

interface Fixture {
  /** `contact:create`; `info` is an answer. */
  readonly on: string;
  readonly fields: TldFields;
  readonly xml: string;
}
const fixturesOf = (name: string): Fixture[] => JSON.parse(readFileSync(`${folder}${name}/fixtures.json`, 'utf8'));
const fixtures = names.flatMap((name) =>
  fixturesOf(name).map((each) => [`${name} on ${each.on}`, name, each] as const),
);

let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

const authInfo = { pw: 'abc-123' };
const addr = { street: ['1'], city: 'Dulles', cc: 'US' };
const contact: ContactCreateRequest = {
  object: 'contact',
  verb: 'create',
  id: 'sh8013',
  postal: [{ type: 'int', name: 'John Doe', addr }],
  email: 'jdoe@example.com',
  authInfo,
};
const domain: DomainCreateRequest = { object: 'domain', verb: 'create', name: 'example.com', authInfo };
const requests: Readonly<Record<string, EppRequest>> = {
  'contact:create': contact,
  'contact:update': { object: 'contact', verb: 'update', id: 'sh8013' },
  'domain:create': domain,
  'domain:update': { object: 'domain', verb: 'update', name: 'example.com' },
};
const answers: Readonly<Record<string, ResponseSpec>> = {
  'contact:info': RESPONSES['contact/info']!.spec,
  'domain:info': RESPONSES['domain/info']!.spec,
};

/** The frame that carries the extension, as we write it. */
function frameOf(name: string, { on, fields }: Fixture): string {
  const ext = { tld: { [name]: fields } };
  const request = requests[on];
  return request
    ? writeCommand({ ...request, ext } as EppRequest, 'ABC-1', ALL_NAMESPACES)
    : writeResponse({ ...answers[on]!, ext }, { svTRID: 'SV-1' }, ALL_NAMESPACES);
}

/** What is read of a frame with this extension element. */
function readTld(frame: string, on: string): unknown {
  if (!requests[on]) return readResponse(parseXml(frame), ALL_NAMESPACES).ext.tld;
  const read = readCommand(parseXml(frame), ALL_NAMESPACES);
  return read.kind === 'command' ? (read.request.ext as { tld?: unknown }).tld : read;
}

const withElement = (frame: string, xml: string) =>
  frame.replace(/<extension>.*<\/extension>/s, () => `<extension>${xml}</extension>`);

test('every folder is registered, and every registered extension has a folder', () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  expect(folders.map((each) => each.name).sort()).toEqual([...names].sort());
});

describe.each(TLD_EXTENSIONS.map((each) => [each.name, each] as const))('%s', (name, extension) => {
  test('is complete', () => {
    expect(readdirSync(`${folder}${name}`).sort()).toEqual(['extension.ts', 'fixtures.json', 'schema.xsd']);
    expect(extension.documentation).toMatch(/^\S.{20,}[^.]$/);
    expect(fixturesOf(name).length).toBeGreaterThan(0);
    expect(extensionUris(ALL_NAMESPACES)).toContain(extension.uri);
    expect(Object.entries(extension.elements).map(([verb]) => verb)).toEqual(['create', 'update', 'info']);
  });

  test('has a JSON Schema whose fields have its prefix, and an example that is valid by it', () => {
    const { schema, example } = extension;
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
    expect(faultsOf(extension, example)).toEqual([]);
    const { properties, required = [] } = schema;
    for (const field of Object.keys(properties)) expect(field.startsWith(`${name}_`), field).toBe(true);
    for (const field of required) expect(faultsOf(extension, { ...example, [field]: '' })[0]).toMatchObject({ field });
    expect(Object.keys(properties).includes(contactFieldOf(name)) || !extension.isReferencedByDomain).toBe(true);
    expect(declaredFields(extension, { ...example, other_field: 'x' })).toEqual(example);
  });

  test('is not sent to a registry without it, and not with invalid fields', () => {
    const request = { ...contact, ext: { tld: { [name]: extension.example } } };
    const { [extension.part]: _, ...without } = ALL_NAMESPACES;
    expect(() => writeCommand(request, 'ABC-1', without)).toThrow('not served');
    const profile = { ...DEFAULT_PROFILE, namespaces: ALL_NAMESPACES };
    expect(() => checkRequest(request, profile)).not.toThrow();
    const [first] = Object.keys(extension.example) as [string];
    const wrong = { ...request, ext: { tld: { [name]: { ...extension.example, [first]: 'a\nb' } } } };
    expect(() => checkRequest(wrong, profile)).toThrow(first);
  });
});

describe('a fixture', () => {
  test.each(fixtures)('is valid by its schema, and is read and written: %s', (_title, name, fixture) => {
    const written = frameOf(name, fixture);
    expect(schemas.validator(written)).toEqual([]);
    expect(readTld(written, fixture.on)).toEqual({ [name]: fixture.fields });
    const given = withElement(written, fixture.xml);
    expect(schemas.validator(given)).toEqual([]);
    expect(readTld(given, fixture.on)).toEqual({ [name]: fixture.fields });
  });

  test.each(fixtures)('refuses a fixture with another element by its schema: %s', (_title, name, fixture) => {
    const wrong = fixture.xml.replace(/<\/([^<>]+)>$/, (end, tag: string) => `<${tag.split(':')[0]}:wrong/>${end}`);
    expect(schemas.validator(withElement(frameOf(name, fixture), wrong)).length).toBeGreaterThan(0);
  });
});

test('writes fields as elements and attributes at their paths', () => {
  const mapping = [
    { field: 'x_kind', path: 'owner/@kind' },
    { field: 'x_number', path: 'owner/number' },
    { field: 'x_name', path: 'owner/name' },
    { field: 'x_day', path: '@day' },
  ];
  const fields = { x_kind: 'person', x_number: '7', x_name: 'A', x_day: '1', x_other: 'no' };
  expect(writeMapped('urn:x', 'create/data', mapping, fields)).toEqual({
    ns: 'urn:x',
    name: 'create',
    attrs: {},
    children: [
      {
        ns: 'urn:x',
        name: 'data',
        attrs: { day: '1' },
        children: [
          {
            ns: 'urn:x',
            name: 'owner',
            attrs: { kind: 'person' },
            children: [
              { ns: 'urn:x', name: 'number', attrs: {}, children: ['7'] },
              { ns: 'urn:x', name: 'name', attrs: {}, children: ['A'] },
            ],
          },
        ],
      },
    ],
  });
});
