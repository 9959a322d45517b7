import { html, joined, type Html } from '../../pages/html.js';
import { momentaryPage } from './page.js';

export interface StartPage {
  /** Path under which the service is published; see prefixOf. */
  prefix: string;
  version: string;
  isReady: boolean;
  /** Roles of this process, where it is a part of the service and the request came without a proxy; else null. */
  roles: readonly string[] | null;
  /** Whether the console is here: a proxy passes it to operators only. */
  showsConsole: boolean;
  /** The site of the demo; null where there is none, or it is not offered to this caller. */
  demo: string | null;
  /** Whether to link the probes: the request came without a proxy, which would not pass them on. */
  showsProbes: boolean;
  /** Whether the caller may read the outbox. */
  showsOutbox: boolean;
}

/** `/` for people: what this is, whether it works, and where to go on. */
export function startPage({
  prefix,
  version,
  isReady,
  roles,
  showsConsole,
  demo,
  showsProbes,
  showsOutbox,
}: StartPage): ReturnType<typeof momentaryPage> {
  const link = (path: string, label: string, about: string): Html =>
    html`<li><a href="${prefix}${path}">${label}</a> <span>${about}</span></li>`;
  const steps = [
    ...(demo !== null
      ? [
          link(
            '/docs/banner',
            'See the banner',
            'A page asks you, by one line in it, as it would in Germany, California or Australia.',
          ),
          link(
            `/portal/${demo}/test`,
            'Be a customer',
            'Sign in as ada@demo.example; the code comes to the outbox. See what is kept of you, change your mind, ask for your data.',
          ),
        ]
      : []),
    ...(showsConsole
      ? [
          link(
            '/console',
            demo !== null ? 'Be the privacy officer' : 'Operate it',
            'People and what they said, requests and their dates, texts, webhooks, proof.',
          ),
        ]
      : []),
    link('/docs', 'Call it', 'Every operation, to try here with its parameters explained.'),
    link('/docs/guides', 'Read how', 'Guides for pages, servers, operators, data teams and auditors.'),
    ...(demo !== null
      ? [
          link(
            '/docs/guides/production',
            'Install it for real',
            'Four roles behind a proxy, on your Postgres, with or without EventStoreDB and Redis.',
          ),
        ]
      : []),
  ];
  const here = [
    ...(showsOutbox ? [link('/outbox', 'Outbox', 'Mails of test environments, which were not sent.')] : []),
    ...(showsProbes
      ? [
          link(
            '/readyz',
            'Readiness',
            'Whether this process takes requests, and up to where it has read the log, as JSON.',
          ),
          link('/metrics', 'Metrics', 'Counts and times of this process, for Prometheus.'),
        ]
      : []),
  ];
  return momentaryPage({
    title: 'Assent',
    prefix,
    heading: 'Assent',
    main: html`<p>Records what people agreed to, proves it later, and answers what may be done today. This is an installation of version ${version}.</p>
<p class="health">${isReady ? html`<b>Ready.</b> It takes requests.` : html`<b>Not ready.</b> A part that it needs does not answer, or it is starting or stopping. Load this page again in a moment.`}</p>
${
  roles !== null &&
  html`<p>This process is only the ${joined(
    roles.map((role) => html`<b>${role}</b>`),
    ' and ',
  )}; the other operations are answered by other processes.</p>\n`
}${demo !== null ? html`<h2>Five minutes with it</h2>\n` : html`<h2>Where to go</h2>\n`}<ol class="cards">
${joined(steps, '\n')}
</ol>
<p>For machines: the <a href="${prefix}/openapi.json">OpenAPI document</a> and a <a href="${prefix}/docs/postman.json">collection for Postman</a>. For callers: <a href="${prefix}/docs/reference">reference</a> and <a href="${prefix}/docs/errors">errors</a>. For lawyers: <a href="${prefix}/docs/policy">the law by place</a>.</p>
${here.length > 0 && html`<h2>This process</h2>\n<ul class="links">\n${joined(here, '\n')}\n</ul>`}`,
  });
}
