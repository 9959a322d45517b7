import { Agent, request } from 'node:http';

/** Keeps its connections, and tells how long an answer took; `fetch` alone costs more than many of the answers. */
export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(url, bearer, headers = {}) {
    this.url = new URL(url);
    this.headers = { ...(bearer && { Authorization: `Bearer ${bearer}` }), ...headers };
  }

  /**
   * `body` is sent as JSON; a string is JSON already.
   * @returns {Promise<{ status: number, body: any, ms: number, headers: object }>}
   */
  ask(method, path, body, headers = {}) {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
      const from = performance.now();
      const call = request(
        {
          agent: this.#agent,
          host: this.url.hostname,
          port: this.url.port,
          method,
          path,
          headers: {
            ...this.headers,
            ...(text !== null && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
            ...headers,
          },
        },
        (answer) => {
          const chunks = [];
          answer.on('data', (chunk) => chunks.push(chunk)).once('error', reject);
          answer.once('end', () => {
            const ms = performance.now() - from;
            const answered = Buffer.concat(chunks).toString();
            resolve({ status: answer.statusCode, headers: answer.headers, ms, body: parsed(answered) });
          });
        },
      );
      call.once('error', reject).end(text ?? undefined);
    });
  }

  /** Rejects where the answer is a refusal. */
  async get(method, path, body, headers) {
    const answer = await this.ask(method, path, body, headers);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  close() {
    this.#agent.destroy();
  }
}

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
