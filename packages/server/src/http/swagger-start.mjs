// The script of /swagger, run by the browser.

/** Part of the document with its references followed: there are none out of the document and no cycles. */
function resolved(document, part) {
  if (Array.isArray(part)) return part.map((each) => resolved(document, each));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, allOf, ...rest } = part;
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, resolved(document, value)]));
  if (allOf) return { ...inOne(resolved(document, allOf)), ...own };
  return $ref ? { ...resolved(document, at(document, $ref.slice(2).split('/'))), ...own } : own;
}

const at = (document, path) => path.reduce((part, key) => part?.[key], document);

const inOne = (parts) => ({
  type: 'object',
  properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  required: parts.flatMap(({ required = [] }) => required),
});

/** Instead of the page's own resolver, which takes the whole document apart for every operation that is opened: seconds each. */
async function resolveSubtree(document, path) {
  const found = at(document, path);
  // The parameters of a path are those of each of its calls.
  const common = path[0] === 'paths' ? (document.paths[path[1]]?.parameters ?? []) : [];
  const whole = common.length > 0 ? { ...found, parameters: [...common, ...(found.parameters ?? [])] } : found;
  return { spec: resolved(document, whole), errors: [] };
}

window.ui = SwaggerUIBundle({
  url: '/swagger/openapi.json',
  dom_id: '#tester',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: false,
  persistAuthorization: false,
  displayRequestDuration: true,
  // No list of all schemas at the foot: for it the browser resolves the whole document first, seconds for every visitor. Each operation shows its own.
  defaultModelsExpandDepth: -1,
  plugins: [() => ({ fn: { resolveSubtree } })],
  // The tester speaks to the address that it was loaded from.
  requestInterceptor: (request) => {
    const target = new URL(request.url, location.href);
    if (target.pathname.startsWith('/v1/')) request.url = location.origin + target.pathname + target.search;
    // What was entered under Authorize and nothing else: no prompt of the browser's own, which would remember the key.
    request.credentials = 'omit';
    return request;
  },
});
