import { beginServe } from './embedded/begin.ts';

if (import.meta.main) {
  const argv = process.argv.slice(2);
  // A wrapper (bin/namehold.mjs, tools/bootstrap.mjs) that is killed passes on no signal: what it started ends as if it had.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  const begun = argv[0] === 'serve' && !argv.includes('--help') ? beginServe(process.env) : undefined;
  // What fails here, the command tells.
  await begun?.catch(() => undefined);
  const { runUntilDone } = await import('./command-line.ts');
  await runUntilDone(argv, begun);
}
