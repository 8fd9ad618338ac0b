import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** `npx vite packages/console` gives pages that follow the source, with the calls sent on to a service that runs already. */
const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/app/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // The policy of the pages has no place for data in a script or a style sheet; what is hashed is a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/v1': service } },
});
