import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Short, so that a process that has used up its part stands still for moments only. */
const periodUs = 10_000;

/**
 * Gives a process a part of one core, as a smaller machine would: on one machine with everything, a second process helps only while the
 * others' cores are not full. Needs root on Linux. Answers with how to take it away, once the process is gone.
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
