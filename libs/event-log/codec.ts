import type { DomainEvent } from '../kernel/index.js';
import type { RecordedEvent } from './port.js';

/** Personal data whose key was destroyed. Shown as null; nothing crashes on it, nothing mistakes it for "was never given". */
export const FORGOTTEN: unique symbol = Symbol('forgotten');

/** Seals the personal fields of one subject. Synchronous: its key was fetched before. */
export interface FieldCipher {
  seal(field: string, clear: unknown): string;
  /** FORGOTTEN where the key is gone. */
  open(field: string, sealed: string): unknown;
}

/** One event type that a context stores: for ever, so every version ever written stays readable. */
export interface EventType {
  type: string;
  /** Version of the data as it is written today, from 1. */
  version: number;
  /** Paths of personal fields, `actor.id` or `evidence[].uri`; encrypted with the subject's key before they are stored. */
  personal: readonly string[];
  /** How data written as version n becomes version n + 1. */
  upcasters?: Readonly<Record<number, (data: Record<string, unknown>) => Record<string, unknown>>>;
}

/** An event that this release cannot read: a type it does not know, or a version from the future. Never skipped. */
export class UnreadableEvent extends Error {
  constructor(type: string, version: number, why: string) {
    super(`event ${type} version ${version}: ${why}`);
    this.name = 'UnreadableEvent';
  }
}

/** A sealed value inside stored data. */
const SEALED = '$sealed';
const isSealed = (value: unknown): value is { [SEALED]: string } => typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[SEALED] === 'string';

type Json = Record<string, unknown>;

/** Between events as contexts know them and events as they are stored: schema version, upcasting, encryption. */
export class Codec {
  private readonly types: ReadonlyMap<string, EventType>;
  private readonly paths: ReadonlyMap<string, readonly string[][]>;

  constructor(types: readonly EventType[]) {
    this.types = new Map(types.map((type) => [type.type, type]));
    this.paths = new Map(types.map(({ type, personal }) => [type, personal.map((path) => path.split('.'))]));
    if (this.types.size !== types.length) throw new Error('two contexts store events of the same type');
  }

  versionOf(type: string): number {
    return this.known(type, 0).version;
  }

  /** The data as it is stored. A type with personal fields cannot be stored without a cipher. */
  encode(event: DomainEvent, cipher?: FieldCipher): unknown {
    this.known(event.type, 0);
    const paths = this.paths.get(event.type)!;
    if (paths.length === 0) return event.data;
    if (!cipher) throw new Error(`${event.type} holds personal fields and needs a cipher`);
    return paths.reduce<unknown>((data, path) => replaced(data, path, 0, (value) => ({ [SEALED]: cipher.seal(path.join('.'), value) })), event.data);
  }

  /**
   * The event in the form of today. Without a cipher personal fields stay sealed, which is enough for folding: no
   * state depends on one.
   */
  decode(event: Pick<RecordedEvent, 'type' | 'data' | 'metadata'>, cipher?: FieldCipher): DomainEvent {
    const written = event.metadata.schemaVersion;
    const type = this.known(event.type, written);
    if (written > type.version) throw new UnreadableEvent(event.type, written, 'was written by a newer release');
    let data = event.data as Json;
    for (let version = written; version < type.version; version++) {
      const upcast = type.upcasters?.[version];
      if (!upcast) throw new UnreadableEvent(event.type, version, 'has no upcaster');
      data = upcast(data);
    }
    if (cipher) {
      for (const path of this.paths.get(event.type)!) {
        data = replaced(data, path, 0, (value) => (isSealed(value) ? cipher.open(path.join('.'), value[SEALED]) : value)) as Json;
      }
    }
    return { type: event.type, data };
  }

  private known(type: string, version: number): EventType {
    const known = this.types.get(type);
    if (!known) throw new UnreadableEvent(type, version, 'is not known to this release');
    return known;
  }
}

/** A copy in which every value at a path is another; what is not there stays away. */
function replaced(value: unknown, path: readonly string[], depth: number, by: (value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const step = path[depth]!;
  const name = step.endsWith('[]') ? step.slice(0, -2) : step;
  const child = (value as Json)[name];
  if (child === undefined || child === null) return value;
  const last = depth === path.length - 1;
  const change = (item: unknown): unknown => (last ? by(item) : replaced(item, path, depth + 1, by));
  return { ...value, [name]: step.endsWith('[]') ? (child as unknown[]).map(change) : change(child) };
}

/** Forgotten values shown as null, anywhere inside. */
export function withoutForgotten(value: unknown): unknown {
  if (value === FORGOTTEN) return null;
  if (Array.isArray(value)) return value.map(withoutForgotten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutForgotten(member)]));
}
