import { OperationTable, withTwins } from '../access/index.js';
import { Codec } from '../streams/codec.js';
import type { Context } from '../context/define-context.js';
import type { LogSink } from '../context/log-sink.js';
import type { ReadModel } from '../context/read-model.js';
import type { CountedEvent } from '../engines/telemetry/event-counts.js';

/** A context whose read models and sinks are known. */
export interface SettledContext extends Omit<Context, 'readModels' | 'sinks'> {
  readModels: readonly ReadModel[];
  sinks: readonly LogSink[];
}

/** Everything that contexts bring twice, forgot or contradict each other on, in sentences; empty when they fit together. */
export function faultsOf(contexts: readonly SettledContext[]): string[] {
  const each = <T>(brought: (context: SettledContext) => readonly T[] | undefined): Owned<T>[] =>
    contexts.flatMap((context) => (brought(context) ?? []).map((one) => [context.name, one] as const));
  const models = each(({ readModels }) => readModels);
  const views = models.flatMap(([owner, { projection }]) =>
    (projection.views ?? []).map(({ name }) => [owner, name] as const),
  );
  const isView = (name: string): boolean => views.some(([, view]) => view === name);
  const progress = models.flatMap(([owner, model]) =>
    model.progress ? [[owner, String(model.progress)] as const] : [],
  );
  const tags = models.flatMap(([owner, { tags: own }]) => (own ? [[owner, own] as const] : []));
  return [
    ...twice(
      'context',
      contexts.map(({ name }) => [name, name] as const),
    ),
    ...twice(
      'event type',
      named(
        each(({ events }) => events),
        ({ type }) => type,
      ),
    ),
    ...twice(
      'display of',
      each(({ displays }) => displays && Object.keys(displays)),
    ),
    ...twice(
      'journal of',
      each(({ journal }) => journal && Object.keys(journal)),
    ),
    ...twice(
      'webhooks of',
      each(({ webhooks }) => webhooks && Object.keys(webhooks)),
    ),
    ...twice(
      'kind of stream',
      named(
        each(({ streams }) => streams),
        ({ name }) => name,
      ),
    ),
    ...twice(
      'part',
      named(
        each(({ part }) => part && [part]),
        ({ name }) => name,
      ),
    ),
    ...twice(
      'read model',
      named(models, ({ projection }) => projection.name),
    ),
    ...twice(
      'view',
      // A read model has a view of its own name, for the service.
      [
        ...views,
        ...models.flatMap(([owner, { projection }]) =>
          isView(projection.name) ? [[owner, projection.name] as const] : [],
        ),
      ],
    ),
    ...twice(
      'metric',
      named(
        each(({ counted }) => counted),
        ({ metric }) => metric,
      ),
    ),
    ...twice('progress token', progress),
    ...twice(
      'tag token',
      named(tags, ({ token }) => String(token)),
    ),
    ...twice(
      'tag prefix',
      named(tags, ({ prefix }) => `"${prefix}"`),
    ),
    ...twice(
      'heading',
      each(({ headings }) => headings && Object.keys(headings)),
    ),
    ...twice(
      'chore',
      named(
        each(({ chores }) => chores),
        ({ name }) => name,
      ),
    ),
    ...twice(
      'migration',
      named(
        each(({ migrations }) => migrations),
        ({ name }) => name,
      ),
    ),
    ...twice(
      'time of a migration',
      named(
        each(({ migrations }) => migrations),
        ({ name }) => name.slice(-13),
      ),
    ),
    ...onlyOne(contexts, 'mailKeeper'),
    ...unnumbered(each(({ migrations }) => migrations)),
    ...unknownEvents(contexts),
    ...thrownBy(
      () =>
        new Codec(
          unique(
            contexts.flatMap(({ events }) => events ?? []),
            ({ type }) => type,
          ),
        ),
    ),
    ...thrownBy(() => new OperationTable(withTwins(contexts.flatMap(({ operations }) => operations ?? [])))),
  ];
}

/** Something, and the name of the context that brings it. */
type Owned<T> = readonly [owner: string, one: T];

const named = <T>(owned: readonly Owned<T>[], name: (one: T) => string): Owned<string>[] =>
  owned.map(([owner, one]) => [owner, name(one)]);

const unique = <T>(all: readonly T[], name: (one: T) => string): T[] => [
  ...new Map(all.map((one) => [name(one), one])).values(),
];

function twice(what: string, owned: readonly Owned<string>[]): string[] {
  const owners = new Map<string, string>();
  return owned.flatMap(([owner, name]) => {
    const first = owners.get(name);
    owners.set(name, owner);
    if (first === undefined) return [];
    return [`${what} ${name} is there twice: in ${first}${first === owner ? '' : ` and in ${owner}`}`];
  });
}

function onlyOne(contexts: readonly SettledContext[], member: 'mailKeeper'): string[] {
  const owners = contexts.filter((context) => context[member]).map(({ name }) => name);
  return owners.length > 1 ? [`only one context can bring ${member}: ${owners.join(' and ')} do`] : [];
}

const unnumbered = (migrations: readonly Owned<{ name: string }>[]): string[] =>
  migrations.flatMap(([owner, { name }]) =>
    /[A-Za-z]\d{13}$/.test(name) ? [] : [`migration ${name} of ${owner} does not end in its time, 13 digits`],
  );

/** A fold that waits for an event which is never stored: it is missing in the list of events, or misspelled. */
function unknownEvents(contexts: readonly SettledContext[]): string[] {
  const known = new Set(contexts.flatMap(({ events }) => events ?? []).map(({ type }) => type));
  return contexts.flatMap(({ part, displays = {}, sideStreams, webhooks = {}, readModels, counted = [] }) => [
    ...unheardCounts(known, counted),
    ...[...Object.keys(displays), ...Object.keys(sideStreams?.displays ?? {})]
      .filter((type) => !known.has(type))
      .map((type) => `display of ${type}, which no context has among its events`),
    ...Object.keys(webhooks)
      .filter((type) => !known.has(type))
      .map((type) => `webhooks of ${type}, which no context has among its events`),
    ...unheard(known, part ? `part ${part.name}` : '', part?.fold.on ?? []),
    ...readModels.flatMap(({ projection }) => unheard(known, `read model ${projection.name}`, projection.on)),
  ]);
}

const unheardCounts = (known: ReadonlySet<string>, counted: readonly CountedEvent[]): string[] =>
  counted
    .filter(({ type }) => !known.has(type))
    .map(({ metric, type }) => `metric ${metric} counts ${type}, which no context has among its events`);

const unheard = (known: ReadonlySet<string>, who: string, on: readonly string[]): string[] =>
  on.filter((type) => !known.has(type)).map((type) => `${who} folds ${type}, which no context has among its events`);

function thrownBy(make: () => unknown): string[] {
  try {
    make();
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}
