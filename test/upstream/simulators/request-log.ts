/** One request, as a simulated upstream saw it. Secrets are masked. */
export interface LoggedRequest {
  readonly call: string;
  readonly method: string;
  readonly domain: string;
  readonly parameters: string;
  /** Of the clock that limits are measured with, in milliseconds. */
  readonly at: number;
  status: number | 'none';
  fault: string | undefined;
}

/** So many calls within so much time. */
export interface Limit {
  readonly calls: number;
  readonly withinMs: number;
}

/** All requests of a simulated upstream, and how fast and how often they came. */
export class RequestLog {
  readonly requests: LoggedRequest[] = [];

  add(request: LoggedRequest): void {
    this.requests.push(request);
  }

  of(call: string | RegExp): LoggedRequest[] {
    return this.requests.filter((each) => (typeof call === 'string' ? each.call === call : call.test(each.call)));
  }

  /** The largest number of requests within this time. */
  fastest(withinMs: number): number {
    return mostWithin(
      this.requests.map(({ at }) => at),
      withinMs,
    );
  }

  /** The largest number of identical requests within this time. */
  mostIdentical(withinMs: number): number {
    const times = Map.groupBy(this.requests, identity);
    return Math.max(
      0,
      ...[...times.values()].map((each) =>
        mostWithin(
          each.map(({ at }) => at),
          withinMs,
        ),
      ),
    );
  }

  /** Whether the last request is one too many. */
  exceeds({ calls, withinMs }: Limit, onlyIdentical: boolean): boolean {
    const last = this.requests.at(-1);
    if (!last) return false;
    const same = identity(last);
    let count = 0;
    for (let place = this.requests.length - 1; place >= 0; place -= 1) {
      const each = this.requests[place]!;
      if (last.at - each.at >= withinMs) break;
      if (!onlyIdentical || identity(each) === same) count += 1;
      if (count > calls) return true;
    }
    return false;
  }
}

const identity = ({ method, call, parameters }: LoggedRequest): string => `${method} ${call} ${parameters}`;

function mostWithin(times: readonly number[], withinMs: number): number {
  let most = 0;
  let first = 0;
  times.forEach((at, place) => {
    while (at - times[first]! >= withinMs) first += 1;
    most = Math.max(most, place - first + 1);
  });
  return most;
}
