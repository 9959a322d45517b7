/* What a browser has, as far as the script below uses it; the service itself is compiled without the types of browsers. */
interface Part {
  hidden: boolean;
  textContent: string | null;
  dataset: Record<string, string | undefined>;
  classList: { add(name: string): void };
  querySelector(selector: string): Part | null;
  addEventListener(event: 'click', listener: () => void): void;
}
declare const document: { documentElement: Part; getElementById(id: string): Part | null };
declare const location: { href: string };
declare const matchMedia: (query: string) => { matches: boolean };

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  example?: unknown;
  examples?: unknown;
  schema?: { default?: unknown; example?: unknown; examples?: unknown };
}
interface Document {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
}
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
}
interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  loadSpec?: boolean;
}
declare const SwaggerUIBundle: { (options: object): SwaggerUi; presets: { apis: unknown } };

/**
 * Starts Swagger UI on `/docs`. It runs in the browser and is served as its own text, so that it can use nothing from outside
 * its braces.
 */
function tryIt(): void {
  const place = document.getElementById('swagger-ui')!;
  const documentUrl = new URL(place.dataset['document']!, location.href).href;
  /** The operations that take an Idempotency-Key. */
  const keyed: { method: string; path: RegExp }[] = [];

  /**
   * A field that is filled in is sent. So examples and defaults of what is optional move into its description. What a
   * browser forbids pages to set is not offered at all.
   */
  function offered(openApi: Document): Document {
    for (const [path, operations] of Object.entries(openApi.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const parameters = (operation.parameters ?? []).filter((parameter) => !/^(sec|proxy)-/i.test(parameter.name));
        if (parameters.some((parameter) => parameter.name === 'Idempotency-Key'))
          keyed.push({ method: method.toUpperCase(), path: new RegExp(`${path.replace(/\{\w+\}/g, '[^/]+')}$`) });
        if (operation.parameters) operation.parameters = parameters.map(emptied);
      }
    }
    return openApi;
  }

  function emptied(parameter: Parameter): Parameter {
    if (parameter.required) return parameter;
    const { example, examples: _, schema = {}, ...kept } = parameter;
    const { default: byDefault, example: __, examples: ___, ...shape } = schema;
    const words = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
    const notes = [
      kept.description ?? '',
      kept.name === 'Idempotency-Key' ? 'Left empty, this page sends a new one with each call.' : '',
      byDefault === undefined ? '' : `Default: ${words(byDefault)}.`,
      example === undefined ? '' : `Example: ${words(example)}.`,
    ];
    return { ...kept, description: notes.filter((note) => note !== '').join(' '), schema: shape };
  }

  /** Works on plain http too, where browsers keep `crypto.randomUUID` to themselves. */
  function freshKey(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    );
  }

  async function offerDemoKeys(): Promise<void> {
    const offer = document.getElementById('demo-keys')!;
    const answer = await fetch(offer.dataset['keys']!);
    if (answer.status !== 200) return;
    const keys = (await answer.json()) as { publicKey: string; secretKey: string };
    offer.querySelector('button')!.addEventListener('click', () => {
      ui.preauthorizeApiKey('publicKey', keys.publicKey);
      ui.preauthorizeApiKey('secretKey', keys.secretKey);
      offer.querySelector('[role=status]')!.textContent =
        'In use: the secret key where an operation takes one, else the public key.';
    });
    offer.hidden = false;
  }

  if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode');
  const ui = SwaggerUIBundle({
    url: documentUrl,
    domNode: place,
    // By default the page would show the document to a server of the Swagger project.
    validatorUrl: null,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    presets: [SwaggerUIBundle.presets.apis],
    responseInterceptor: (response: { url: string; text?: string }) => {
      if (response.url !== documentUrl || response.text === undefined) return response;
      return { ...response, text: JSON.stringify(offered(JSON.parse(response.text) as Document)) };
    },
    requestInterceptor: (request: Sent) => {
      const { pathname } = new URL(request.url, documentUrl);
      const takesKey = keyed.some(({ method, path }) => method === request.method && path.test(pathname));
      if (takesKey) request.headers['Idempotency-Key'] ??= freshKey();
      return request;
    },
    onComplete: () => void offerDemoKeys(),
  });
}

/** `toString` gives the function as it was compiled. */
export const TRY_IT_SCRIPT = `(${tryIt.toString()})();\n`;
