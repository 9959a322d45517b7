import { FORGOTTEN, isSealed, SEALED, type DomainEvent, type FieldCipher, type Position } from '../kernel/index.js';
import { FieldPaths } from './field-paths.js';
import { NOT_JSON, type RecordedEvent } from '../log/port.js';
import { UnparsedEvent } from '../log/unparsed-event.js';

/**
 * How one type of event is stored. Personal paths are dotted; `[]` means every element: `evidence[].uri`. A path once
 * declared stays declared as long as events with it exist, also when a later version moved the field.
 */
export interface EventDefinition<Type extends string = string> {
  type: Type;
  /** Schema version that is written today, from 1. */
  version: number;
  /** What is encrypted with the subject's key before it reaches the log. */
  personal: readonly string[];
  /** From each older version to the next one. Sees clear values, and FORGOTTEN where the key is gone. */
  upcast?: Readonly<Record<number, (data: never) => unknown>>;
}

export const defineEvent = <const Type extends string>(definition: EventDefinition<Type>): EventDefinition<Type> =>
  Object.freeze(definition);

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

/** What operators left out of the log, because it cannot be read or must not count. */
export interface LeftOut {
  /** Whether the event there is left out of everything or, where a projection is named, of that one. */
  has(position: Position, projection?: string): boolean;
  /** Grows whenever more is left out: what was folded before may hold it. */
  readonly size: number;
}

interface Known extends EventDefinition {
  personalPaths: FieldPaths;
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
      this.known.set(definition.type, { ...definition, personalPaths: new FieldPaths(definition.personal) });
    }
  }

  knows(type: string): boolean {
    return this.known.has(type);
  }

  /** Whether an operator left it out: of every fold or, where a projection is named, of that one at least. */
  isLeftOut({ position }: Pick<RecordedEvent, 'position'>, projection?: string): boolean {
    return this.leftOut.has(position, projection);
  }

  /** Grows whenever more events are left out. */
  get leftOutSoFar(): number {
    return this.leftOut.size;
  }

  /** The same codec, where other events are left out. */
  without(leftOut: LeftOut): Codec {
    return new Codec([...this.known.values()], leftOut);
  }

  /** Throws UnknownEvent where only a newer release knows what happened: nothing may be decided without it. */
  ensureKnown({ type }: Pick<RecordedEvent, 'type'>): void {
    if (!this.knows(type)) throw new UnknownEvent(type, 'this type of event is not known');
  }

  /** Whether events of this type have fields that only open with the subject's key. */
  isPersonal(type: string): boolean {
    return this.known.get(type)?.personalPaths.isEmpty === false;
  }

  /** The version that new events of this type are written with. */
  versionOf(type: string): number {
    return this.definition(type).version;
  }

  /** The data as it is stored. Without a cipher an event that has anything personal is refused. */
  encode(event: DomainEvent, cipher?: FieldCipher): unknown {
    return this.definition(event.type).personalPaths.replaced(event.data, (clear, field) => {
      if (clear === null) return null;
      if (!cipher) throw new TypeError(`${event.type}.${field} is personal and needs a key`);
      return { [SEALED]: cipher.encrypt(field, clear) };
    });
  }

  /** What happened, in today's schema. Without a cipher, personal fields read as if they were forgotten. */
  decode<E extends DomainEvent = DomainEvent>(
    event: Pick<RecordedEvent, 'type' | 'data' | 'metadata' | 'schemaVersion'>,
    cipher?: FieldCipher,
  ): E {
    const definition = this.definition(event.type);
    const stored = event.data;
    if (stored === NOT_JSON) throw new UnreadableEvent(event.type, 'it is not stored as JSON');
    let version = event.schemaVersion ?? event.metadata.schemaVersion;
    if (!Number.isInteger(version) || version < 1 || version > definition.version) {
      throw new UnknownEvent(
        event.type,
        `schema version ${String(version)} is not known, only up to ${definition.version}`,
      );
    }
    const opened = (value: unknown, field: string): unknown =>
      isSealed(value) ? open(event.type, cipher, field, value[SEALED]) : value;
    // Before upcasting, because a sealed value opens only in the place where it was sealed.
    const { personalPaths } = definition;
    // What was parsed for this call alone need not be copied.
    const isOwn = event instanceof UnparsedEvent;
    let data = isOwn ? personalPaths.replacedWithin(stored, opened) : personalPaths.replaced(stored, opened);
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
