import { registerHooks } from 'node:module';

/** The file name and its replacement. The program starts only if it is the one that was started. */
const changes: readonly (readonly [string, (source: string) => string])[] = [
  [
    '/packages/server/src/payments/providers.ts',
    (source) =>
      `import { testCard } from '../../test/payments/test-card.ts';\n${source.replace('= [bankTransfer]', '= [bankTransfer, testCard]')}`,
  ],
  ['/packages/server/src/main.ts', (source) => source.replace('import.meta.main', 'true')],
];

/** The service with an additional payment provider, which sends charge-backs; the included ones do not. */
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const change = changes.find(([end]) => url.endsWith(end))?.[1];
    return change ? { ...loaded, source: change(String(loaded.source)) } : loaded;
  },
});
await import('../../packages/server/src/main.ts');
