import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Frame {
  readonly functionName: string;
  readonly url: string;
}

/** The files of `node --cpu-prof`. */
interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The measured interval, in microseconds of the clock that all processes of a machine share. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const sharedMicroseconds = () => Number(process.hrtime.bigint() / 1000n);

const isIn = (pattern: RegExp) => (frame: Frame) => pattern.test(frame.url);

/** The parts of a request. A sample belongs to the innermost frame of a part; shared code (Node, zod, small helpers) to its caller. */
const parts: readonly (readonly [string, (frame: Frame) => boolean])[] = [
  ['collecting garbage', ({ functionName }) => functionName === '(garbage collector)'],
  ['waiting', ({ functionName }) => functionName === '(idle)'],
  ['database: driver', isIn(/node_modules\/(pg|pg-[\w-]+|postgres-[\w-]+)\//)],
  ['database: connections, tenant', isIn(/packages\/postgres\/src\//)],
  ['log line', isIn(/node_modules\/(pino|@pinojs|sonic-boom)|src\/logger\.ts|http\/steps\/log-answer\.ts/)],
  ['writing the answer', isIn(/http\/steps\/send-answer\.ts/)],
  [
    'writing the answer',
    isIn(/http\/(writer|page)\.ts|fast-json-stringify|fastify\/lib\/reply\.js|node:_http_outgoing/),
  ],
  ['input and schema', isIn(/http\/(input|body|field)\.ts|node_modules\/zod\//)],
  ['route and core', isIn(/server\/src\/(core|http\/v1)\//)],
  ['serving', isIn(/http\/steps\/(call-route|charge-cost|find-earlier-answer|store-answer)\.ts/)],
  ['admission', isIn(/server\/src\/http\//)],
  [
    'Fastify, node:http',
    isIn(/node_modules\/(fastify|find-my-way)|node:_http|node:internal\/http|node:net|node:internal\/stream/),
  ],
];

function partOf(frames: readonly Frame[]): string {
  for (const frame of frames) {
    const found = parts.find(([, isOf]) => isOf(frame));
    if (found) return found[0];
  }
  return 'the rest';
}

/** Each node's frames, innermost first. */
function stacks({ nodes }: Profile): Map<number, Frame[]> {
  const found = new Map<number, Frame[]>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const walk = (id: number, above: Frame[]) => {
    const { callFrame, children = [] } = byId.get(id)!;
    const frames = [callFrame, ...above];
    found.set(id, frames);
    for (const child of children) walk(child, frames);
  };
  walk(nodes[0]!.id, []);
  return found;
}

/** The profile of a process's main thread; it is written when the process ends. */
export function readProfile(folder: string, pid: number): Profile {
  const name = readdirSync(folder).find((file) => file.includes(`.${pid}.0.`) && file.endsWith('.cpuprofile'));
  if (name === undefined) throw new Error(`process ${pid} left no profile`);
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile;
}

/** Microseconds of each part within the interval. */
export function timeByPart(profile: Profile, { from, to }: Span): Map<string, number> {
  const partOfNode = new Map([...stacks(profile)].map(([id, frames]) => [id, partOf(frames)]));
  const sums = new Map<string, number>();
  let at = profile.startTime;
  profile.samples.forEach((id, i) => {
    const took = profile.timeDeltas[i]!;
    at += took;
    if (at < from || at > to) return;
    const part = partOfNode.get(id)!;
    sums.set(part, (sums.get(part) ?? 0) + took);
  });
  return sums;
}

/** The functions with the most self time, for a closer analysis. */
export function hottest(profile: Profile, { from, to }: Span, most: number): [string, number][] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const sums = new Map<string, number>();
  let at = profile.startTime;
  profile.samples.forEach((id, i) => {
    at += profile.timeDeltas[i]!;
    if (at < from || at > to) return;
    const { functionName, url } = frames.get(id)!;
    const name = `${functionName.slice(0, 50) || '(nameless)'} ${url.replace(/^.*\/(node_modules|packages)\//, '')}`;
    sums.set(name, (sums.get(name) ?? 0) + profile.timeDeltas[i]!);
  });
  return [...sums].sort(([, a], [, b]) => b - a).slice(0, most);
}
