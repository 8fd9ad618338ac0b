import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Short, so that a process that has used up its share pauses only briefly. */
const periodUs = 10_000;

/**
 * Gives a process a share of one core, like a smaller machine: with everything on one machine, a second process helps only while other
 * cores are free. Needs root on Linux. Returns a function that removes the limit after the process has ended.
 */
export function limitTo(pid: number, share: number): () => void {
  const quota = String(Math.round(periodUs * share));
  const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const group = join('/sys/fs/cgroup', isUnified ? '' : 'cpu', `namehold-bench-${pid}`);
  mkdirSync(group);
  if (isUnified) writeFileSync(join(group, 'cpu.max'), `${quota} ${periodUs}`);
  else {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), quota);
  }
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return () => rmdirSync(group);
}
