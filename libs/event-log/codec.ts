import { FORGOTTEN, isSealed, SEALED, type DomainEvent, type FieldCipher, type Position } from '../kernel/index.js';
import type { RecordedEvent } from './port.js';

/**
 * How one type of event is stored. Personal paths are dotted; `[]` means every element: `evidence[].uri`. A path once
 * declared stays declared as long as events with it exist, also when a later version moved the field.
 */
export interface EventDefinition {
  type: string;
  /** Schema version that is written today, from 1. */
  version: number;
  /** What is encrypted with the subject's key before it reaches the log. */
  personal: readonly string[];
  /** From each older version to the next one. Sees clear values, and FORGOTTEN where the key is gone. */
  upcast?: Readonly<Record<number, (data: never) => unknown>>;
}

export const defineEvent = (definition: EventDefinition): EventDefinition => Object.freeze(definition);

/** An event that this release cannot understand: its type, its version, or a sealed field that does not open. */
export class UnreadableEvent extends Error {
  constructor(
    readonly type: string,
    why: string,
    options?: { cause?: unknown },
  ) {
    super(`${type}: ${why}`, options);
    this.name = 'UnreadableEvent';
  }
}

/** A type or a version that only a newer release can know. */
export class UnknownEvent extends UnreadableEvent {
  constructor(type: string, why: string) {
    super(type, why);
    this.name = 'UnknownEvent';
  }
}

/** Places in the log that operators left out. */
export interface LeftOut {
  has(position: Position): boolean;
}

interface Known extends EventDefinition {
  paths: readonly (readonly string[])[];
}

/** Between what a context says happened and what the log holds: schema versions and personal fields. */
export class Codec {
  private readonly known = new Map<string, Known>();

  constructor(
    definitions: readonly EventDefinition[],
    private readonly leftOut: LeftOut = new Set<Position>(),
  ) {
    for (const definition of definitions) {
      if (this.known.has(definition.type)) throw new TypeError(`${definition.type} is defined twice`);
      for (let version = 1; version < definition.version; version++) {
        if (!definition.upcast?.[version])
          throw new TypeError(`${definition.type} has no upcaster from version ${version}`);
      }
      this.known.set(definition.type, { ...definition, paths: definition.personal.map(segments) });
    }
  }

  knows(type: string): boolean {
    return this.known.has(type);
  }

  /** Whether an operator left it out: no fold takes it into account then. */
  isLeftOut({ position }: Pick<RecordedEvent, 'position'>): boolean {
    return this.leftOut.has(position);
  }

  /** Throws UnknownEvent where only a newer release knows what happened: nothing may be decided without it. */
  ensureKnown({ type }: Pick<RecordedEvent, 'type'>): void {
    if (!this.knows(type)) throw new UnknownEvent(type, 'this type of event is not known');
  }

  /** Whether events of this type have fields that only open with the subject's key. */
  isPersonal(type: string): boolean {
    return (this.known.get(type)?.paths.length ?? 0) > 0;
  }

  /** The version that new events of this type are written with. */
  versionOf(type: string): number {
    return this.definition(type).version;
  }

  /** The data as it is stored. Without a cipher an event that has anything personal is refused. */
  encode(event: DomainEvent, cipher?: FieldCipher): unknown {
    let data = event.data;
    for (const path of this.definition(event.type).paths) {
      data = at(data, path, '', (clear, field) => {
        if (clear === null) return null;
        if (!cipher) throw new TypeError(`${event.type}.${field} is personal and needs a key`);
        return { [SEALED]: cipher.encrypt(field, clear) };
      });
    }
    return data;
  }

  /** What happened, in today's schema. Without a cipher, personal fields read as if they were forgotten. */
  decode<E extends DomainEvent = DomainEvent>(
    event: Pick<RecordedEvent, 'type' | 'data' | 'metadata'>,
    cipher?: FieldCipher,
  ): E {
    const definition = this.definition(event.type);
    let version = event.metadata.schemaVersion;
    if (!Number.isInteger(version) || version < 1 || version > definition.version) {
      throw new UnknownEvent(
        event.type,
        `schema version ${String(version)} is not known, only up to ${definition.version}`,
      );
    }
    let data = event.data;
    // Before upcasting, because a sealed value opens only in the place where it was sealed.
    for (const path of definition.paths) {
      data = at(data, path, '', (stored, field) =>
        isSealed(stored) ? open(event.type, cipher, field, stored[SEALED]) : stored,
      );
    }
    for (; version < definition.version; version++) data = definition.upcast![version]!(data as never);
    return { type: event.type, data } as E;
  }

  private definition(type: string): Known {
    const definition = this.known.get(type);
    if (!definition) throw new UnknownEvent(type, 'this type of event is not known');
    return definition;
  }
}

function open(type: string, cipher: FieldCipher | undefined, field: string, sealed: unknown): unknown {
  if (!cipher) return FORGOTTEN;
  try {
    return cipher.decrypt(field, sealed);
  } catch (error) {
    throw new UnreadableEvent(type, `${field} does not open with its key`, { cause: error });
  }
}

/** `evidence[].uri` as `evidence`, `[]`, `uri`. */
function segments(path: string): string[] {
  return path.split('.').flatMap((part) => {
    const [, name, lists] = /^([^[\]]+)((?:\[\])*)$/.exec(part) ?? [];
    // A path that is not understood would leave a personal field in clear.
    if (name === undefined) throw new TypeError(`not a path of a field: ${path}`);
    return [name, ...Array<string>(lists!.length / 2).fill('[]')];
  });
}

/** Replaces what stands at a path, copying only along it; what is not there stays away. */
function at(
  value: unknown,
  path: readonly string[],
  field: string,
  replace: (value: unknown, field: string) => unknown,
  depth = 0,
): unknown {
  if (value === undefined) return value;
  if (depth === path.length) return replace(value, field);
  if (typeof value !== 'object' || value === null) return value;
  const segment = path[depth]!;
  if (segment === '[]')
    return Array.isArray(value)
      ? value.map((element, i) => at(element, path, `${field}[${i}]`, replace, depth + 1))
      : value;
  const member = (value as Record<string, unknown>)[segment];
  if (member === undefined || !Object.hasOwn(value, segment)) return value;
  const replaced = at(member, path, field === '' ? segment : `${field}.${segment}`, replace, depth + 1);
  return replaced === member ? value : { ...value, [segment]: replaced };
}
