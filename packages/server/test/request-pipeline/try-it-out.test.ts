import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { needsManualStep } from '../../src/http/openapi/try-it-out.ts';
import { routes } from '../../src/http/v1/index.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
});
afterAll(() => t.stop());

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly example?: unknown;
}
interface Described {
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
}

/** What the tester sends unchanged: the examples, or nothing. */
function asPrefilled(method: string, template: string): Promise<Called> {
  const described = t.openApi.paths[template]![method.toLowerCase()] as unknown as Described;
  const given = described.parameters.filter(({ example }) => example !== undefined);
  const of = (place: string) =>
    given.filter((each) => each.in === place).map(({ name, example }) => [name, `${example}`]);
  const values = Object.fromEntries(of('path')) as Record<string, string>;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const [type, media] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
  const body =
    type === 'application/json'
      ? { json: media!.example }
      : type
        ? { raw: { type, body: String(media!.example) } }
        : {};
  return t.call(method, `/v1${path}`, {
    query: Object.fromEntries(of('query')) as Record<string, string>,
    headers: Object.fromEntries(of('header')) as Record<string, string>,
    ...(template.startsWith('/operator/') ? { as: t.operator } : {}),
    ...body,
  });
}

/** Creating calls first, then reading and changing calls, deleting calls last. */
const makes = ['POST /customers', 'POST /domains', 'POST /resellers', 'POST /domains/{domain_id}/dns/ip'];
const ends = ['DELETE /domains/{domain_id}/zone', 'DELETE /domains/{domain_id}', 'DELETE /resellers/{reseller_id}'];
const turn = (name: string) => {
  if (makes.includes(name)) return makes.indexOf(name);
  if (ends.includes(name)) return 40 + ends.indexOf(name);
  // Locks and suspensions are removed again before other calls.
  const flag = /\/domains\/\{domain_id\}\/(locked|suspended)$/.exec(name)?.[1];
  if (flag && !name.startsWith('GET')) return (flag === 'locked' ? 30 : 32) + (name.startsWith('DELETE') ? 1 : 0);
  return name.startsWith('GET') ? 10 : name.startsWith('DELETE') ? 35 : 20;
};

test('every call works as prefilled on a new installation, or names what is missing', async () => {
  const shown = new Map(Object.keys(t.openApi.paths).map((path) => [path.replaceAll(/\{\w+\}/g, '{}'), path]));
  const order = [...routes].sort((a, b) => turn(`${a.method} ${a.path}`) - turn(`${b.method} ${b.path}`));
  const failed: string[] = [];
  for (const definition of order) {
    const { method, path } = definition;
    // It would query a real upstream.
    if (path.startsWith('/operator/upstreams')) continue;
    const called = await asPrefilled(method, shown.get(path.replaceAll(/\{\w+\}/g, '{}'))!);
    const isExplained = needsManualStep(definition) && called.status < 500;
    if (called.status < 300 || isExplained) continue;
    failed.push(`${method} ${path}: ${called.status} ${called.text.slice(0, 160)}`);
  }
  expect(failed).toEqual([]);
  // Calls that need a manual step say so.
  for (const definition of routes.filter(needsManualStep)) {
    const method = definition.method.toLowerCase();
    const described = t.openApi.paths[shown.get(definition.path.replaceAll(/\{\w+\}/g, '{}'))!]![method];
    const { description, parameters } = described as unknown as Described;
    const descriptions = [description, ...parameters.map((each) => each.description)];
    expect(descriptions.join(), definition.path).toContain('Try it out: ');
  }
});
