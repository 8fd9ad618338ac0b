import { resolved } from '../support/document.ts';
import { RealService } from '../support/process.ts';
import { answerValidator, type Called, type CallOptions, type OpenApi, send } from '../support/service.ts';

/** A separate service process, so that its longest tick does not include the work of the test. */
export interface Target {
  readonly demo: string;
  readonly operator: string;
  readonly openApi: OpenApi;
  readonly url: string;
  readonly service: RealService;
  call(method: string, path: string, options?: CallOptions): Promise<Called>;
  stop(): Promise<void>;
}

export async function openTarget(env: Record<string, string> = {}): Promise<Target> {
  const service = await RealService.create(env);
  await service.start();
  const { base_url: url, reseller_id, api_key, operator } = service.credentials;
  const demo = `${reseller_id}:${api_key}`;
  const openApi = resolved((await (await fetch(`${url}/swagger/openapi.json`)).json()) as OpenApi);
  const validate = answerValidator(openApi);
  return {
    demo,
    operator: `${operator.reseller_id}:${operator.api_key}`,
    openApi,
    url,
    service,
    async call(method, path, options = {}) {
      const called = await send(url, method, path, demo, options);
      if (path.startsWith('/v1/')) validate(method, path, called);
      return called;
    },
    stop: () => service.dispose(),
  };
}
