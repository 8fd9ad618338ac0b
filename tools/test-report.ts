import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { chaosSeed } from './chaos.ts';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

const slowest = 10;
const minuteMs = 60_000;

/** Counts results for `tools/test.ts`, reports slow files, and ends a run that hangs with the names of the running files. */
export default class TestReporter implements Reporter {
  readonly #startedAt = new Map<TestModule, number>();
  readonly #tookMs = new Map<TestModule, number>();
  readonly #processors = processorTimes();
  #limit: NodeJS.Timeout | undefined;

  onInit(): void {
    const minutes = Number(process.env.TEST_LIMIT_MINUTES);
    if (minutes > 0) this.#limit = setTimeout(() => this.#giveUp(minutes), minutes * minuteMs);
  }

  onTestModuleStart(module: TestModule): void {
    this.#startedAt.set(module, performance.now());
  }

  onTestModuleEnd(module: TestModule): void {
    this.#tookMs.set(module, performance.now() - this.#startedAt.get(module)!);
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    clearTimeout(this.#limit);
    console.log(`\nThe sandbox registries' faults in this run can be repeated with CHAOS_SEED=${chaosSeed()}`);
    this.#write(errors.length);
    this.#printSlowest();
  }

  #write(otherFailures: number): void {
    const file = process.env.NAMEHOLD_TALLY_FILE;
    if (!file) return;
    const modules = [...this.#tookMs.keys()];
    const count = (state: 'passed' | 'failed') =>
      modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
    // A file that cannot be loaded, or whose hooks fail, has no failed test to count.
    const broken = modules.filter((module) => !module.ok() && [...module.children.allTests('failed')].length === 0);
    const tally: TestCounts = { passed: count('passed'), failed: count('failed') + broken.length + otherFailures };
    writeFileSync(file, JSON.stringify(tally));
  }

  #printSlowest(): void {
    if (this.#tookMs.size <= slowest) return;
    const sorted = [...this.#tookMs].sort(([, a], [, b]) => b - a).slice(0, slowest);
    console.log(`\nThe slowest ${slowest} of ${this.#tookMs.size} files:`);
    for (const [module, ms] of sorted) console.log(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${nameOf(module)}`);
    const all = [...this.#tookMs.values()].reduce((sum, ms) => sum + ms, 0) / 1_000;
    console.log(
      `${all.toFixed(1).padStart(7)} s  all files; the processors were busy for ${this.#busyPercent()} % of the run`,
    );
  }

  /** Shows whether more workers would help, or less work. Other programs on the machine count too. */
  #busyPercent(): number {
    const now = processorTimes();
    const [idle, whole] = [now.idle - this.#processors.idle, now.whole - this.#processors.whole];
    return Math.round((100 * (whole - idle)) / Math.max(1, whole));
  }

  #giveUp(minutes: number): void {
    const running = [...this.#startedAt.keys()].filter((module) => !this.#tookMs.has(module)).map(nameOf);
    console.error(
      `\nThe tests did not end within ${minutes} minutes (TEST_LIMIT_MINUTES) and were stopped. Still running: ${running.join(', ') || 'no file'}`,
    );
    this.#write(1);
    this.#printSlowest();
    process.exit(1);
  }
}

const nameOf = ({ relativeModuleId, project }: TestModule): string =>
  project.name === 'namehold' ? relativeModuleId : `${relativeModuleId} (${project.name})`;

function processorTimes(): { readonly idle: number; readonly whole: number } {
  const times = cpus().map((each) => each.times);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { idle: sum(times.map((each) => each.idle)), whole: sum(times.flatMap((each) => Object.values(each))) };
}
