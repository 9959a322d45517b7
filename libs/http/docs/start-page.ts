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
  showsProbes,
  showsOutbox,
}: StartPage): ReturnType<typeof momentaryPage> {
  const link = (path: string, label: string, about: string): Html =>
    html`<li><a href="${prefix}${path}">${label}</a><br>${about}</li>`;
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
    main: html`<h1>Assent</h1>
<p>Records what people agreed to, proves it later, and answers what may be done today. This is an installation of version ${version}.</p>
<p class="health">${isReady ? html`<b>Ready.</b> It takes requests.` : html`<b>Not ready.</b> A part that it needs does not answer, or it is starting or stopping. Load this page again in a moment.`}</p>
${
  roles !== null &&
  html`<p>This process is only the ${joined(
    roles.map((role) => html`<b>${role}</b>`),
    ' and ',
  )}; the other operations are answered by other processes.</p>\n`
}${
      showsConsole &&
      html`<h2>Operate it</h2>
<p><a href="${prefix}/console">Console</a>: people and what they said, requests, purposes and texts, webhooks, proof.</p>\n`
    }<h2>Build with it</h2>
<p><a href="${prefix}/docs/guides">Guides</a>: how to build it in, run it and audit it. From there lead the ways to <a href="${prefix}/docs">try every operation</a>, to the <a href="${prefix}/docs/reference">reference</a>, the <a href="${prefix}/docs/errors">errors</a>, the <a href="${prefix}/docs/policy">law by place</a> and the <a href="${prefix}/openapi.json">OpenAPI document</a>.</p>
${here.length > 0 && html`<h2>This process</h2>\n<ul class="links">\n${joined(here, '\n')}\n</ul>`}`,
  });
}
