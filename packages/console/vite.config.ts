import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** `npx vite packages/console` serves the source and forwards API calls to a running service. */
const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/app/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // The policy forbids data URLs in scripts and style sheets, so assets are always files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/v1': service } },
});
