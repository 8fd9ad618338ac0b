import { beginServe } from './embedded/begin.ts';

if (import.meta.main) {
  const argv = process.argv.slice(2);
  // Ends this process if its wrapper (bin/namehold.mjs, tools/bootstrap.mjs) is killed, because SIGKILL is not forwarded.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  const begun = argv[0] === 'serve' && !argv.includes('--help') ? beginServe(process.env) : undefined;
  // The command reports failures of its start.
  await begun?.catch(() => undefined);
  const { runUntilDone } = await import('./command-line.ts');
  await runUntilDone(argv, begun);
}
