import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { runCommand } from '../../packages/server/src/cli/run.ts';
import { tools } from '../../packages/server/src/command-line.ts';
import { Seller } from '../namehold-upstream/chain.ts';
import { projectRoot, startTestService, type TestService } from '../support/service.ts';
import { CentralNicUpstream } from '../upstream/centralnic-upstream.ts';
import { SimulatorClock } from '../upstream/simulators/clock.ts';
import { strictSettings as logicBoxes } from '../upstream/simulators/logicboxes/settings.ts';
import { LogicBoxesSimulator } from '../upstream/simulators/logicboxes/simulator.ts';
import { strictSettings as openprovider } from '../upstream/simulators/openprovider/settings.ts';
import { OpenproviderSimulator } from '../upstream/simulators/openprovider/simulator.ts';
import { strictSettings as openSrs } from '../upstream/simulators/opensrs/settings.ts';
import { OpenSrsSimulator } from '../upstream/simulators/opensrs/simulator.ts';
import { strictSettings as realtimeRegister } from '../upstream/simulators/realtimeregister/settings.ts';
import { RealtimeRegisterSimulator } from '../upstream/simulators/realtimeregister/simulator.ts';

/** Where a page connects to in place of the service that it names. */
interface Simulated {
  readonly t: TestService;
  /** Options of `registry add`, in place of those on the page. */
  readonly way: Readonly<Record<string, string>>;
  readonly secret: string;
  /** Fields of the profile, in place of those on the page. */
  readonly profile: object;
  /** The first domain, which is ordered before `verify`. */
  readonly domain: string;
  stop(): Promise<void>;
}

type Simulator = { readonly server: { readonly port: number }; stop(): Promise<void> };

async function ofSimulator(
  simulator: Simulator,
  user: string,
  secret: string,
  profile: object = {},
): Promise<Simulated> {
  const t = await startTestService({ env: { NAMEHOLD_THEFT_PROTECTION: 'off' } });
  return {
    t,
    way: { host: '127.0.0.1', port: String(simulator.server.port), 'client-id': user },
    secret,
    profile: { transport: 'http', ...profile },
    domain: 'first.com',
    async stop() {
      await t.stop();
      await simulator.stop();
    },
  };
}

const clock = () => new SimulatorClock(Date.now);

/** One row for each page with commands. The prices of the simulators are those of the pages. */
export const upstreamPages: Readonly<Record<string, () => Promise<Simulated>>> = {
  async logicboxes() {
    const simulator = await LogicBoxesSimulator.start(logicBoxes, clock());
    const customerId = simulator.addCustomer('shop@example.com').id;
    const { resellerId, apiKey } = logicBoxes;
    return ofSimulator(simulator, resellerId, apiKey, {
      customerId,
      logicboxes: { nameservers: ['ns1.example.net', 'ns2.example.net'] },
    });
  },
  async openprovider() {
    const simulator = await OpenproviderSimulator.start({ ...openprovider, currency: 'EUR' }, clock());
    return ofSimulator(simulator, openprovider.username, openprovider.password);
  },
  async opensrs() {
    const simulator = await OpenSrsSimulator.start(openSrs, clock());
    return ofSimulator(simulator, openSrs.username, openSrs.key);
  },
  async realtimeregister() {
    const simulator = await RealtimeRegisterSimulator.start({ ...realtimeRegister, currency: 'EUR' }, clock());
    return ofSimulator(simulator, realtimeRegister.customer, realtimeRegister.apiKey);
  },
  async centralnic() {
    const upstream = await CentralNicUpstream.started();
    const { way, secret, profile } = upstream.forCommands();
    return { t: upstream.t, way, secret, profile, domain: 'first.org', stop: () => upstream.stop() };
  },
};

/** The state before the commands of a block, in a comment before it. */
type State = 'wrong key' | 'other currency' | 'first domain';
const block = /(?:<!-- upstream: ([a-z ]+) -->\n)?```(\w*)\n([\s\S]*?)```/g;
const prompt = '$ npx namehold ';

export const pagesFolder = join(projectRoot, 'docs/operate/upstreams');
export const pagePath = (name: string): string => join(pagesFolder, `${name}.md`);

/** The page with the output of its commands. */
export async function generated(name: string): Promise<string> {
  const text = readFileSync(pagePath(name), 'utf8');
  const simulated = await upstreamPages[name]!();
  const folder = mkdtempSync(join(tmpdir(), 'upstream-page-'));
  try {
    const session = new PageSession(simulated, folder, text);
    let written = '';
    let at = 0;
    for (const found of text.matchAll(block)) {
      const [whole, state, language, content] = found as unknown as [string, State | undefined, string, string];
      const isSession = language === '' && content.startsWith(prompt);
      const shown = isSession ? whole.replace(content, () => `${'\0'}`) : whole;
      const output = isSession ? await session.run(content, state) : '';
      written += text.slice(at, found.index) + shown.replace('\0', () => output);
      at = found.index + whole.length;
    }
    return written + text.slice(at);
  } finally {
    rmSync(folder, { recursive: true });
    await simulated.stop();
  }
}

class PageSession {
  readonly #simulated: Simulated;
  readonly #folder: string;
  /** `registry add` as it was run. */
  #added: readonly string[] = [];
  #profile = '';

  constructor(simulated: Simulated, folder: string, page: string) {
    this.#simulated = simulated;
    this.#folder = folder;
    this.#files(page);
  }

  async run(session: string, state: State | undefined): Promise<string> {
    await this.#begin(state);
    const lines: string[] = [];
    for (const line of session.split('\n').filter((each) => each.startsWith(prompt)))
      lines.push(line, await this.#command(line.slice(prompt.length).split(' ')));
    await this.#end(state);
    return `${lines.filter((line) => line !== '').join('\n')}\n`;
  }

  /** The files that the page shows. */
  #files(page: string): void {
    const { secret, profile } = this.#simulated;
    const blocks = [...page.matchAll(block)].map(([, , language, content]) => ({ language, content: content! }));
    const json = blocks.filter(({ language }) => language === 'json').map(({ content }) => content);
    const shown = json.find((content) => content.includes('"kind"'));
    this.#profile = JSON.stringify({ ...(shown === undefined ? {} : JSON.parse(shown)), ...profile });
    this.#write('profile.json', this.#profile);
    this.#write('other-currency.json', JSON.stringify({ ...JSON.parse(this.#profile), currency: 'GBP' }));
    this.#write('catalogue.json', json.find((content) => content.includes('"rules"')) ?? '[]');
    const costs = blocks.find(({ content }) => content.startsWith('tld,action'))?.content ?? '';
    for (const name of ['cost.csv', 'costs.csv', 'prices.csv']) this.#write(name, costs);
    this.#write('secret', secret);
    this.#write('wrong', 'another-key-0123456789');
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  async #begin(state: State | undefined): Promise<void> {
    if (state === 'wrong key') await this.#run(withOption(this.#added, 'password-file', this.#path('wrong')));
    if (state === 'other currency') await this.#run(this.#withOtherCurrency());
    if (state === 'first domain') await this.#orderFirst();
  }

  async #end(state: State | undefined): Promise<void> {
    if (state === 'wrong key' || state === 'other currency') await this.#run(this.#added);
  }

  /** It is in the profile, or an option of `registry add`. */
  #withOtherCurrency(): readonly string[] {
    const args = withOption(this.#added, 'profile', this.#path('other-currency.json'));
    return args.includes('--currency') ? withOption(args, 'currency', 'GBP') : args;
  }

  async #orderFirst(): Promise<void> {
    const { t, domain } = this.#simulated;
    const fund = { amount: '1000.00', description: 'for domains' };
    const path = '/v1/resellers/1000/transactions/fund';
    expect((await t.call('POST', path, { json: fund, as: t.operator })).status).toBe(200);
    const called = await Seller.of(t).order(domain, { ns: 'ns1.host.example,ns2.host.example' });
    expect(called.status, called.text).toBe(200);
  }

  #command(words: readonly string[]): Promise<string> {
    return this.#run(words.slice(0, 2).join(' ') === 'registry add' ? this.#addition(words) : this.#withFiles(words));
  }

  #addition(words: readonly string[]): readonly string[] {
    const files = { 'password-file': this.#path('secret'), profile: this.#path('profile.json') };
    const options = Object.entries({ ...this.#simulated.way, ...files });
    this.#added = options.reduce((args, [name, value]) => withOption(args, name, value), words);
    return this.#added;
  }

  #withFiles(words: readonly string[]): readonly string[] {
    return words.map((word) => (/\.(csv|json)$/.test(word) ? this.#path(word) : word));
  }

  async #run(args: readonly string[]): Promise<string> {
    const lines: string[] = [];
    const keep = (text: string) => void lines.push(text);
    const spies = [
      vi.spyOn(console, 'log').mockImplementation(keep),
      vi.spyOn(console, 'error').mockImplementation(keep),
    ];
    const { ctx, service } = this.#simulated.t;
    try {
      await runCommand([...args], { ...tools, withContext: (work) => work(ctx) });
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    if (args[1] === 'add') await service.parts.registries.reload(args[2]!);
    return lines.join('\n');
  }
}

/** Replaces an option, or adds it. */
function withOption(args: readonly string[], name: string, value: string): readonly string[] {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? [...args, `--${name}`, value] : [...args.slice(0, at + 1), value, ...args.slice(at + 2)];
}
