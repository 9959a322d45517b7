import { BY_ANYBODY } from '../access/index.js';
import { defineEvent } from '../streams/codec.js';
import { defineProjection } from '../following/projections/projection.js';
import type { Database } from '../engines/database/database.js';
import type { SubjectPart } from '../subjects/index.js';
import { compose } from './compose.js';
import {
  defineContext,
  type Chore,
  type Context,
  type ErasedSubjects,
  type ForgettingEngines,
} from '../context/define-context.js';
import type { DomainEvent } from '../kernel/index.js';
import { defineDisplays } from '../context/subject-timeline.js';
import { defineReadModel, type ReadModel } from '../context/read-model.js';

const noteDisplays = defineDisplays<DomainEvent<'NoteAdded'>>({
  NoteAdded: { headline: '', entries: () => [{}], says: () => ({ at: '' }), line: () => '' },
});
const event = (type: string, version = 1) => defineEvent({ type, version, personal: [] });
const chore = (name: string): Chore => ({ name, command: () => ({}) });
const part = (name: string, on: readonly string[] = []): SubjectPart => ({
  name,
  fold: { on, initial: () => null, evolve: (state) => state },
  snapshot: (state) => state,
  conflicts: () => [],
  stood: () => [],
});
const PROGRESS = Symbol('NotesProgress');
const TAGS = { token: Symbol('NotesTags'), prefix: 'n-', viewVersion: 1 };
const readModel = (name: string, on: readonly string[] = [], about: Partial<ReadModel> = {}): ReadModel =>
  defineReadModel({
    progress: PROGRESS,
    ...about,
    projection: defineProjection({
      name,
      version: 1,
      on,
      streams: ['notes-'],
      key: () => null,
      initial: () => null,
      evolve: (state) => state,
      rows: () => [],
      load: () => null,
      table: { columns: { id: 'text not null' }, keyColumn: 'id', primaryKey: ['id'] },
    }),
  });
const operation = (id: string, path = `/v1/${id}`) => ({ ...BY_ANYBODY, id, path });
const migration = (name: string) =>
  ({
    [name]: class {
      up() {}
      down() {}
    },
  })[name] as never;
class Keeper {}
class Writing {}
class Reading {}

const faultsOf = (...contexts: Context[]): string[] => {
  try {
    compose(contexts);
    return [];
  } catch (error) {
    const [first, ...faults] = (error as Error).message.split('\n');
    expect(first).toBe('The contexts do not fit together:');
    return faults;
  }
};
let published = 0;
const publishing = (view: string) => {
  const { projection } = readModel(`published_${++published}`);
  return {
    projection: { ...projection, views: [{ name: view, version: 1, about: '', columns: {}, select: () => '' }] },
  };
};
const counting = (type: string) => ({ type, metric: 'notes_total', help: 'Notes.', labels: [], of: () => ({}) });
const notes = (brought: Partial<Context>): Context => defineContext({ name: 'notes', ...brought });
const other = (brought: Partial<Context>): Context => defineContext({ name: 'other', ...brought });

describe('contexts that fit together', () => {
  it('become one list of each kind', () => {
    const composed = compose([
      notes({ events: [event('NoteAdded')], part: part('notes', ['NoteAdded']), operations: [operation('a')] }),
      other({ events: [event('OtherDone')], readModels: [readModel('others', ['NoteAdded', 'OtherDone'])] }),
    ]);
    expect(composed.events.map(({ type }) => type)).toEqual(['NoteAdded', 'OtherDone']);
    expect(composed.codec.knows('OtherDone')).toBe(true);
    expect(composed.parts.map(({ name }) => name)).toEqual(['notes']);
    expect(composed.readModels.map(({ projection }) => projection.name)).toEqual(['others']);
    expect(composed.operations.of('a')?.path).toBe('/v1/a');
    expect(composed.mailKeeper).toBeNull();
    expect(composed.errorPage({} as never, 'internal_error', {} as never)).toBeNull();
  });

  it('are asked for the page of an error one after the other', () => {
    const saying = (html: string, of: string) => (_: unknown, code: string) =>
      code === of ? { html, headers: {} } : null;
    const { errorPage } = compose([
      notes({ errorPage: saying('notes', 'token_expired') }),
      other({ errorPage: saying('other', 'rate_limited') }),
    ]);
    const said = (code: 'token_expired' | 'rate_limited' | 'internal_error') =>
      errorPage({} as never, code, {} as never);
    expect(said('token_expired')?.html).toBe('notes');
    expect(said('rate_limited')?.html).toBe('other');
    expect(said('internal_error')).toBeNull();
  });

  it('run their migrations in the order of their times, whoever brings them', () => {
    const composed = compose([
      notes({ migrations: [migration('Third1700000000003'), migration('First1700000000001')] }),
      other({ migrations: [migration('Second1700000000002')] }),
    ]);
    expect(composed.migrations.map(({ name }) => name)).toEqual([
      'First1700000000001',
      'Second1700000000002',
      'Third1700000000003',
    ]);
  });

  it('give a process the modules of its roles, each once', () => {
    const { modulesOf } = compose([
      notes({ modules: { 'write-api': [Writing], dispatcher: [Writing], 'read-api': [Reading] } }),
    ]);
    expect(modulesOf(['dispatcher'])).toEqual([Writing]);
    expect(modulesOf(['projector'])).toEqual([]);
    expect(modulesOf(['write-api', 'read-api', 'projector', 'dispatcher'])).toEqual([Writing, Reading]);
  });

  it('all forget a subject, and all prune', async () => {
    const did: unknown[] = [];
    const engines = {} as ForgettingEngines;
    const erased: ErasedSubjects = { scope: { site: 'shop', env: 'test' }, subjectIds: ['sub_1'], references: [] };
    const brought = (name: string): Partial<Context> => ({
      forget: async (...given) => void did.push([name, ...given]),
      prune: async () => void did.push(name),
    });
    const composed = compose([notes(brought('notes')), other(brought('other')), defineContext({ name: 'quiet' })]);
    await composed.forget(engines, erased);
    await composed.prune({} as Database);
    expect(did).toEqual([['notes', engines, erased], ['other', engines, erased], 'notes', 'other']);
  });
});

describe('contexts that do not fit together are refused at the start', () => {
  const twice: [what: string, brought: Partial<Context>, fault: string][] = [
    ['an event type', { events: [event('NoteAdded')] }, 'event type NoteAdded'],
    ['a display', { displays: noteDisplays }, 'display of NoteAdded'],
    ['a kind of stream', { streams: [{ name: 'notes', of: 'SITE' }] }, 'kind of stream notes'],
    ['a part', { part: part('notes') }, 'part notes'],
    ['a read model', { readModels: [readModel('notes')] }, 'read model notes'],
    ['a published view', { readModels: [publishing('shown')] }, 'view shown'],
    ['a metric', { counted: [counting('NoteAdded')], events: [event('NoteAdded')] }, 'metric notes_total'],
    ['a chore', { chores: [chore('tidying')] }, 'chore tidying'],
    ['a migration', { migrations: [migration('Notes1700000000001')] }, 'migration Notes1700000000001'],
  ];
  it.each(twice)('%s is there twice', (_, brought, fault) =>
    expect(faultsOf(notes(brought), other(brought))).toContain(`- ${fault} is there twice: in notes and in other`),
  );

  it('a view has the name of a read model, which has a view of that name for the service', () =>
    expect(faultsOf(notes({ readModels: [publishing('notes')] }), other({ readModels: [readModel('notes')] }))).toEqual(
      ['- view notes is there twice: in notes and in other'],
    ));

  it('a metric counts events that nobody stores', () =>
    expect(faultsOf(notes({ counted: [counting('NoteAdded')] }))).toEqual([
      '- metric notes_total counts NoteAdded, which no context has among its events',
    ]));

  it('an event is shown that no context has among its events', () =>
    expect(faultsOf(notes({ displays: noteDisplays }))).toEqual([
      '- display of NoteAdded, which no context has among its events',
    ]));

  it('a context is there twice', () =>
    expect(faultsOf(notes({}), notes({}))).toEqual(['- context notes is there twice: in notes']));

  it('two read models are told apart by nothing', () => {
    const about = { tags: { ...TAGS, of: () => ({ revision: 0, turningPoints: [], isClosed: false }) } };
    expect(
      faultsOf(
        notes({ readModels: [readModel('one', [], about)] }),
        other({ readModels: [readModel('two', [], about)] }),
      ),
    ).toEqual([
      '- progress token Symbol(NotesProgress) is there twice: in notes and in other',
      '- tag token Symbol(NotesTags) is there twice: in notes and in other',
      '- tag prefix "n-" is there twice: in notes and in other',
    ]);
  });

  it('two operations have one name or one address', () => {
    expect(faultsOf(notes({ operations: [operation('a')] }), other({ operations: [operation('a', '/v1/b')] }))).toEqual(
      ['- two operations are called a'],
    );
    expect(
      faultsOf(
        notes({ operations: [operation('a', '/v1/things/{id}')] }),
        other({ operations: [operation('b', '/v1/things/{name}')] }),
      ),
    ).toEqual(['- a and b have one address: GET /v1/things/{name}']);
  });

  it('an event that is folded was forgotten among the events', () =>
    expect(
      faultsOf(notes({ part: part('notes', ['NoteAded']), readModels: [readModel('notes', ['NoteAdded'])] })),
    ).toEqual([
      '- part notes folds NoteAded, which no context has among its events',
      '- read model notes folds NoteAdded, which no context has among its events',
    ]));

  it('an older version of an event has no upcaster', () =>
    expect(faultsOf(notes({ events: [event('NoteAdded', 2)] }))).toEqual([
      '- NoteAdded has no upcaster from version 1',
    ]));

  it('a migration has no time, or the time of another', () =>
    expect(
      faultsOf(
        notes({ migrations: [migration('Timeless'), migration('One1700000000001')] }),
        other({ migrations: [migration('Two1700000000001')] }),
      ),
    ).toEqual([
      '- time of a migration 1700000000001 is there twice: in notes and in other',
      '- migration Timeless of notes does not end in its time, 13 digits',
    ]));

  it('two answer for the mails', () => {
    const brought = { mailKeeper: Keeper as never };
    expect(faultsOf(notes(brought), other(brought))).toEqual([
      '- only one context can bring mailKeeper: notes and other do',
    ]);
  });
});
