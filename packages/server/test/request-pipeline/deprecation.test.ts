import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deprecationHeaders, sunsetDays } from '../../src/http/deprecation.ts';
import { buildOpenApi } from '../../src/http/openapi/document.ts';
import { route } from '../../src/http/route.ts';
import { routes } from '../../src/http/v1/index.ts';

describe('deprecation', () => {
  test('sends Deprecation and Sunset for an announced removal', () => {
    expect(deprecationHeaders({ since: '2026-11-15', sunset: '2027-11-15', instead: 'another' })).toEqual({
      Deprecation: '@1794700800',
      Sunset: 'Mon, 15 Nov 2027 00:00:00 GMT',
    });
    expect(deprecationHeaders({ since: '2026-11-15', instead: 'another' })).toEqual({ Deprecation: '@1794700800' });
    expect(deprecationHeaders(undefined)).toEqual({});
  });

  test('throws for a removal that is announced too late', () => {
    expect(() => deprecationHeaders({ since: '2026-11-15', sunset: '2027-01-01', instead: '' })).toThrow(
      `${sunsetDays}`,
    );
  });

  test('is marked in the document for announced operations only', () => {
    const old = route({
      method: 'GET',
      path: '/old',
      area: 'common',
      style: 'own',
      summary: 'Old',
      description: 'Old.',
      deprecated: { since: '2026-11-15', instead: 'GET /new' },
      input: z.object({}),
      output: z.object({}),
      errors: [],
      example: { output: {} },
      answer: async () => ({}),
    });
    const document = buildOpenApi([old], { 'GET /old': 'readOld' }) as {
      paths: Record<string, { get: { deprecated?: boolean } }>;
    };
    expect(Object.values(document.paths)[0]!.get.deprecated).toBe(true);
    for (const each of routes) expect(() => deprecationHeaders(each.deprecated), each.path).not.toThrow();
  });
});
