import { registerHooks } from 'node:module';

/** Name ends, and what is other there. The program begins by itself only where it is what was started. */
const changes: readonly (readonly [string, (source: string) => string])[] = [
  [
    '/packages/server/src/payments/providers.ts',
    (source) =>
      `import { testCard } from '../../test/payments/test-card.ts';\n${source.replace('= [bankTransfer]', '= [bankTransfer, testCard]')}`,
  ],
  ['/packages/server/src/main.ts', (source) => source.replace('import.meta.main', 'true')],
];

/** The service with one more provider of payments, which sends charge-backs: none in the box does. */
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const change = changes.find(([end]) => url.endsWith(end))?.[1];
    return change ? { ...loaded, source: change(String(loaded.source)) } : loaded;
  },
});
await import('../../packages/server/src/main.ts');
